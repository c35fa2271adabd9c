/** All shared variables of one place in a text field. */
import { useId, useState } from 'react'
import { getProjectsByIdSharedEnv, putProjectsByIdSharedEnv } from '#api-client/panel/projects'
import { useAnswerIf } from '../../session/context.tsx'
import { ProjectAction, useProject } from './rights.tsx'
import { textOfVariables, variablesIn } from './variables-text.ts'
import type { Variable } from './variables-text.ts'

interface VariablesAsTextProps {
  readonly input: {
    readonly params: { readonly id: string }
    readonly query: { readonly environmentId: string | undefined }
  }
}

export function VariablesAsText({ input }: VariablesAsTextProps) {
  const { can } = useProject()
  const { environmentId } = input.query
  const { data } = useAnswerIf(can(putProjectsByIdSharedEnv, environmentId), getProjectsByIdSharedEnv, input)
  if (!data) return null
  const variables = 'items' in data ? data.items : data
  return (
    <ProjectAction
      operation={putProjectsByIdSharedEnv}
      input={input}
      environmentId={environmentId ?? null}
      label="Edit as text"
      tone="main"
      about={<p>The text replaces all variables of this place: what is left out is deleted.</p>}
      initial={{ variables: variables.map(({ name, value }) => ({ name, value })) }}
      inputs={{
        variables: (value, change) => <VariablesInput value={value as readonly Variable[]} onChange={change} />,
      }}
      submit="Save"
      done="The variables are saved"
    />
  )
}

interface VariablesInputProps {
  readonly value: readonly Variable[]
  readonly isOptional?: boolean
  readonly onChange: (value: readonly Variable[]) => void
}

export function VariablesInput({ value, onChange, isOptional = false }: VariablesInputProps) {
  const id = useId()
  const [text, setText] = useState(() => textOfVariables(value))
  const { problem } = variablesIn(text)
  return (
    <div className="field">
      <label htmlFor={id}>
        Variables
        {isOptional && <span className="soft small"> (optional)</span>}
      </label>
      <textarea
        id={id}
        className="input mono"
        value={text}
        spellCheck={false}
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-help`}
        ref={(field) => field?.setCustomValidity(problem ?? '')}
        onChange={({ target }) => {
          setText(target.value)
          onChange(variablesIn(target.value).variables)
        }}
      />
      <span id={`${id}-help`} className={problem ? 'field-error' : 'field-help'}>
        {problem ?? 'One NAME=value a line. A value of several lines stands in double quotes, with \\n for each end.'}
      </span>
    </div>
  )
}
