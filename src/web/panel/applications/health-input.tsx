/** How it is found out that a container is healthy. */
import { useId } from 'react'
import type { Application } from '#api-client/panel/schemas'
import type { ChoiceProps, Inputs } from '../projects/environments-choice.tsx'

type HealthCheck = Application['healthCheck']
type Kind = HealthCheck['kind']

const KINDS: Readonly<Record<Kind, string>> = {
  HTTP: 'it answers at a path',
  TCP: 'it takes connections at its port',
  COMMAND: 'a program in it ends well',
  IMAGE: 'its image says so',
  NONE: 'it runs',
}

/** @returns the sentence of the overview */
export const healthWords = ({ kind, path, command }: HealthCheck): string =>
  [KINDS[kind], path ?? command?.join(' ')].filter(Boolean).join(': ')

function HealthInput({ value, onChange }: ChoiceProps<HealthCheck>) {
  const id = useId()
  const choose = (kind: Kind) =>
    onChange({ ...value, kind, path: kind === 'HTTP' ? '/' : null, command: kind === 'COMMAND' ? [''] : null })
  return (
    <fieldset className="field">
      <legend>A container is healthy when</legend>
      <select
        className="input"
        aria-label="Health check"
        value={value.kind}
        onChange={({ target }) => choose(target.value as Kind)}
      >
        {Object.entries(KINDS).map(([kind, words]) => (
          <option key={kind} value={kind}>
            {words}
          </option>
        ))}
      </select>
      {value.path !== null && (
        <div className="field">
          <label htmlFor={`${id}-path`}>Path</label>
          <input
            id={`${id}-path`}
            className="input"
            required
            value={value.path}
            onChange={({ target }) => onChange({ ...value, path: target.value })}
          />
        </div>
      )}
      {value.command !== null && (
        <div className="field">
          <label htmlFor={`${id}-command`}>Program and arguments</label>
          <textarea
            id={`${id}-command`}
            className="input mono"
            required
            placeholder="One a line"
            value={value.command.join('\n')}
            onChange={({ target }) => onChange({ ...value, command: target.value.split('\n') })}
          />
        </div>
      )}
      <div className="field">
        <label htmlFor={`${id}-start`}>Seconds to start</label>
        <input
          id={`${id}-start`}
          className="input"
          type="number"
          required
          min={1}
          max={600}
          value={value.startSeconds}
          onChange={({ target }) => onChange({ ...value, startSeconds: Number(target.value) })}
        />
      </div>
    </fieldset>
  )
}

export const healthInput: Inputs = {
  healthCheck: (value, change) => <HealthInput value={value as HealthCheck} onChange={change} />,
}
