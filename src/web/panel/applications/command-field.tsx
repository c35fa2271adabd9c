/** A program with its arguments in one line, which is shown as it will be run. */
import { useId, useState } from 'react'
import type { ChoiceProps } from '../projects/environments-choice.tsx'
import { argvIn } from './argv.ts'

export function CommandField({ value, onChange }: ChoiceProps<readonly string[]>) {
  const id = useId()
  const [line, setLine] = useState('')
  const { problem } = argvIn(line)
  return (
    <div className="field">
      <label htmlFor={id}>Command</label>
      <input
        id={id}
        className="input mono"
        required
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        placeholder="ls -l /srv"
        value={line}
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-help ${id}-argv`}
        ref={(field) => field?.setCustomValidity(problem ?? '')}
        onChange={({ target }) => {
          setLine(target.value)
          onChange(argvIn(target.value).argv)
        }}
      />
      <span id={`${id}-help`} className="field-help">
        Spaces separate, and quotes keep together. No shell reads it: for pipes, variables and patterns, run one, as in{' '}
        <code>sh -c 'ls | wc -l'</code>.
      </span>
      <span id={`${id}-argv`} className={problem ? 'field-error' : 'row small'}>
        {problem ?? (value.length > 0 && <Argv of={value} />)}
      </span>
    </div>
  )
}

/** Each as one code, so that spaces within an argument are seen. */
export const Argv = ({ of }: { readonly of: readonly string[] }) =>
  [...of.entries()].map(([nth, argument]) => (
    <code key={nth} className="argument">
      {argument === '' ? "''" : argument}
    </code>
  ))
