/** Which lines of an application are shown. */
import { useId } from 'react'
import type { Application, Deployment } from '#api-client/panel/schemas'
import { exactTime } from '../../kit/time.tsx'
import { ChoiceField } from './choice-field.tsx'
import { contentOf, KIND_WORDS } from './deployment-words.ts'
import { useNewest } from './newest.tsx'

/** Empty texts: all. */
export interface LogGiven {
  readonly service: string
  readonly deploymentId: string
  readonly tail: string
}

interface LogFiltersProps {
  readonly of: Application
  readonly services: readonly string[]
  readonly given: LogGiven
  readonly find: string
  readonly set: (name: keyof LogGiven | 'find', value: string) => void
}

const TAILS = ['200', '1000', '5000']

export function LogFilters({ of: application, services, given, find, set }: LogFiltersProps) {
  const id = useId()
  const known = [...new Set([...services, given.service])].filter(Boolean)
  const tails = TAILS.includes(given.tail) ? TAILS : [...TAILS, given.tail]
  return (
    <search className="filters">
      <Deployments of={application} chosen={given.deploymentId} set={(value) => set('deploymentId', value)} />
      {(known.length > 1 || given.service !== '') && (
        <ChoiceField
          label="Service"
          value={given.service}
          options={[['', 'All'], ...known.map((name) => [name, name] as const)]}
          onChange={(service) => set('service', service)}
        />
      )}
      <ChoiceField
        label="Begin with"
        value={given.tail}
        options={tails.map((number) => [number, `the newest ${number} lines`] as const)}
        onChange={(tail) => set('tail', tail)}
      />
      <div className="field">
        <label htmlFor={id}>Find in these lines</label>
        <input
          id={id}
          className="input"
          type="search"
          autoComplete="off"
          spellCheck={false}
          value={find}
          onChange={({ target }) => set('find', target.value)}
        />
      </div>
    </search>
  )
}

interface DeploymentsProps {
  readonly of: Application
  readonly chosen: string
  readonly set: (id: string) => void
}

function Deployments({ of: { id, deploymentId: runningId }, chosen, set }: DeploymentsProps) {
  const newest = useNewest(id)
  const options = (newest ?? []).map((each) => [each.id, wordsOf(each, runningId)] as const)
  const isKnown = chosen === '' || options.some(([each]) => each === chosen)
  if (!newest && chosen === '') return null
  return (
    <ChoiceField
      label="Deployment"
      value={chosen}
      options={[
        ['', 'All that have containers'],
        ...options,
        ...(isKnown ? [] : [[chosen, 'An earlier one'] as const]),
      ]}
      onChange={set}
    />
  )
}

const wordsOf = (of: Deployment, runningId: string | null): string =>
  [KIND_WORDS[of.kind], exactTime(of.createdAt), of.id === runningId ? 'runs' : contentOf(of)]
    .filter(Boolean)
    .join(' · ')
