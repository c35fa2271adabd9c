/** What a command is, where it runs, and what it reads. */
import { useId } from 'react'
import { getApplicationsByIdStatsLive } from '#api-client/panel/applications'
import { chosenIn } from '../../kit/select-input.tsx'
import { useAnswerIf } from '../../session/context.tsx'
import type { ChoiceProps, Inputs } from '../projects/environments-choice.tsx'
import { useProject } from '../projects/rights.tsx'
import { CommandField } from './command-field.tsx'
import { TextField } from './text-field.tsx'

/** Services and replicas that run are offered; others are typed, where it is not known what runs. */
export function useCommandInputs(id: string, previewId: string | null): Inputs {
  const { can } = useProject()
  const of = { params: { id }, query: previewId === null ? {} : { previewId } }
  const { data } = useAnswerIf(can(getApplicationsByIdStatsLive), getApplicationsByIdStatsLive, of)
  const offered = (all: readonly (string | number)[] = []) => [...new Set(all.map(String))].toSorted()
  return {
    command: (value, change) => (
      <CommandField value={(value as readonly string[] | undefined) ?? []} onChange={change} />
    ),
    service: (value, change) => (
      <TextField
        label="Service"
        help="Empty: the first one that runs"
        maxLength={40}
        choices={offered(data?.map(({ service }) => service))}
        value={chosenIn(value)}
        onChange={(service) => change(service || null)}
      />
    ),
    replica: (value, change) => (
      <TextField
        label="Replica"
        help="Empty: the first one that runs"
        pattern="[1-8]"
        choices={offered(data?.map(({ replica }) => replica))}
        value={typeof value === 'number' ? String(value) : ''}
        onChange={(typed) => change(/^\d$/.test(typed) ? Number(typed) : null)}
      />
    ),
    stdin: (value, change) => <Input value={typeof value === 'string' ? value : null} onChange={change} />,
  }
}

/** Empty: the program reads nothing. */
function Input({ value, onChange }: ChoiceProps<string | null>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>
        Input
        <span className="soft small"> (optional)</span>
      </label>
      <textarea
        id={id}
        className="input mono"
        spellCheck={false}
        aria-describedby={`${id}-help`}
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
      />
      <span id={`${id}-help`} className="field-help">
        What the program reads, at most 64 KiB
      </span>
    </div>
  )
}
