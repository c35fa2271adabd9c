import { parseArgs } from 'node:util'
import { chosen, positive } from '../options.ts'
import { PATHS } from './paths.ts'
import type { Path } from './paths.ts'

const MEASUREMENTS = ['services', 'memory', 'idle', 'start', 'agents', 'deployments'] as const
type Measurement = (typeof MEASUREMENTS)[number]

export const SERVICES_USAGE = `npm run bench -- --services | --memory | --idle | --start | --agents | --deployments, or several of them
  --services           each request beside its hand-written twin
  --memory             resident memory of both services at rest and after the load, three times
  --idle               what \`daybook start\` costs without requests
  --start              how long the first and the second start take
  --agents             what idle agents cost a panel, beside node:http alone
  --deployments        a deployment beside the same work by hand, log lines, and what idle applications cost
  --rounds N           of --services, default 9
  --seconds S          how long a request is measured in each round, default 2
  --idle-seconds S     of --idle, --agents and --deployments, default 60
  --agents-count N     default 10000
  --applications N     idle ones of --deployments, default 200
  --only PATH,…        ${PATHS.map(({ name }) => name).join(' ')}
  --json FILE          writes the results
  --markdown FILE      writes the table of --services; in docs/benchmarks.md only to its place`

export interface ServicesOptions {
  readonly measurements: readonly Measurement[]
  readonly paths: readonly Path[]
  readonly rounds: number
  readonly seconds: number
  readonly idleSeconds: number
  readonly agents: number
  readonly applications: number
  /** Whether all paths are measured. */
  readonly isWhole: boolean
  readonly json?: string | undefined
  readonly markdown?: string | undefined
}

/** Whether these arguments ask for the services, and not for the store. */
export const isOfServices = (args: readonly string[]): boolean =>
  MEASUREMENTS.some((name) => args.includes(`--${name}`))

/** @throws for an option that is unknown or has no effect, because a misspelt word would measure nothing */
export function servicesOptionsFrom(args: readonly string[]): ServicesOptions {
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      services: flag,
      memory: flag,
      idle: flag,
      start: flag,
      agents: flag,
      deployments: flag,
      applications: { type: 'string' },
      'agents-count': { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      'idle-seconds': { type: 'string' },
      only: { type: 'string' },
      json: { type: 'string' },
      markdown: { type: 'string' },
    },
  })
  if (values.markdown !== undefined && !values.services) throw new Error('--markdown writes the table of --services')
  const names = chosen(
    values.only,
    PATHS.map(({ name }) => name),
  )
  return {
    measurements: MEASUREMENTS.filter((name) => values[name]),
    paths: PATHS.filter(({ name }) => names.includes(name)),
    rounds: positive(values.rounds, 9),
    seconds: positive(values.seconds, 2),
    idleSeconds: positive(values['idle-seconds'], 60),
    agents: positive(values['agents-count'], 10_000),
    applications: positive(values.applications, 200),
    isWhole: values.only === undefined,
    json: values.json,
    markdown: values.markdown,
  }
}
