/** One variable to set, as the body of a change takes it. */
import { useId } from 'react'
import type { SetVariable } from '#api-client/panel/schemas'
import type { ChoiceProps, Inputs } from '../projects/environments-choice.tsx'

const NEW: SetVariable = { name: '', value: '', secret: false, when: 'RUN' }

const TIMES: Readonly<Record<SetVariable['when'], string>> = {
  RUN: 'its containers',
  BUILD: 'the build of its image',
  BOTH: 'both',
}

export const timeWords = ({ when }: Pick<SetVariable, 'when'>): string => TIMES[when]

function VariableInput({ value, onChange }: ChoiceProps<SetVariable>) {
  const id = useId()
  const given = (more: Partial<SetVariable>) => onChange({ ...value, ...more })
  return (
    <>
      <div className="field">
        <label htmlFor={`${id}-name`}>Name</label>
        <input
          id={`${id}-name`}
          className="input mono"
          required
          maxLength={128}
          pattern="[A-Za-z_][A-Za-z0-9_]*"
          title="Letters, digits and _, without a digit at the start"
          autoComplete="off"
          spellCheck={false}
          value={value.name}
          onChange={({ target }) => given({ name: target.value })}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-value`}>Value</label>
        <textarea
          id={`${id}-value`}
          className="input mono"
          maxLength={32_768}
          spellCheck={false}
          value={value.value}
          onChange={({ target }) => given({ value: target.value })}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-when`}>For</label>
        <select
          id={`${id}-when`}
          className="input"
          value={value.when}
          onChange={({ target }) => given({ when: target.value as SetVariable['when'] })}
        >
          {Object.entries(TIMES).map(([when, words]) => (
            <option key={when} value={when}>
              {words}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label className="check">
          <input type="checkbox" checked={value.secret} onChange={({ target }) => given({ secret: target.checked })} />
          <span>Secret: its value is not shown again</span>
        </label>
      </div>
    </>
  )
}

export const variableInput: Inputs = {
  set: (value, change) => (
    <VariableInput
      value={(value as readonly SetVariable[] | undefined)?.[0] ?? NEW}
      onChange={(variable) => change([variable])}
    />
  ),
}
