/** `npm run bench`: the event store beside its peers, on one Postgres, in one run. */
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { load, warnIfBusy } from './busy.ts'
import type { ContestantName } from './contestant.ts'
import { installPeers } from './install.ts'
import { startLane } from './lane.ts'
import type { Lane } from './lane.ts'
import { markdownOf, writeMarkdown } from './markdown.ts'
import { USAGE, optionsFrom } from './options.ts'
import type { Options } from './options.ts'
import { captionsOf, outcomeOf } from './outcome.ts'
import { picture } from './picture.ts'
import { told } from './report.ts'
import type { Sample } from './results.ts'
import { LENT, measureRounds, prepare } from './rounds.ts'
import { startServer } from './server.ts'
import type { Server } from './server.ts'
import { SERVICES_USAGE, isOfServices, servicesOptionsFrom } from './services/options.ts'
import { benchServices } from './services/services.ts'
import { TESTS } from './tests.ts'

async function measured(server: Server, { plan, contestants }: Options, failed: string[]): Promise<Sample[]> {
  const lanes = new Map<ContestantName, Lane>()
  try {
    for (const name of new Set(contestants.flatMap((each) => [each, LENT[each] ?? each])))
      lanes.set(name, await startLane(name, server.pid))
    console.log(`${[...lanes.keys()].join(', ')}: creating databases and logs`)
    const began = performance.now()
    await prepare(server, lanes, plan)
    console.log(`made in ${Math.round((performance.now() - began) / 1_000)} s`)
    return await measureRounds(server, lanes, plan, {
      round: (words) => console.log(words),
      failure: (words) => void failed.push(words),
    })
  } finally {
    for (const lane of lanes.values()) await lane.stop()
  }
}

const roundsOf = (samples: readonly Sample[]): number => Math.max(0, ...samples.map(({ round }) => round))

async function main(options: Options): Promise<void> {
  const { plan, contestants, json, markdown, picture: file } = options
  const [at, loadBefore] = [new Date().toISOString(), load()]
  warnIfBusy(loadBefore)
  installPeers(contestants)
  const failed: string[] = []
  const server = await startServer()
  const samples = await measured(server, options, failed).finally(() => server.stop())
  const outcome = outcomeOf(samples, {
    at,
    node: process.version,
    postgres: server.version,
    cores: availableParallelism(),
    load: [loadBefore, load()],
    rounds: roundsOf(samples),
    seconds: plan.seconds,
    events: plan.events,
    rebuilds: roundsOf(samples.filter(({ test }) => test === 'rebuild')),
  })
  console.log(['', ...captionsOf(outcome.machine), '', told(plan.tests, outcome)].join('\n'))
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(outcome, null, 2)}\n`)
  if (file !== undefined) writeFileSync(file, picture(TESTS, outcome.results, captionsOf(outcome.machine)))
  if (markdown !== undefined) writeMarkdown(markdown, markdownOf(plan.tests, outcome), { picture: file })
  for (const words of failed) console.error(`!! ${words}`)
  if (failed.length > 0) process.exitCode = 1
}

// Postgres is in a session of its own, and only a process that exits by itself stops its server.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const args = process.argv.slice(2)
if (args.includes('--help')) console.log(`${USAGE}\n\n${SERVICES_USAGE}`)
else if (isOfServices(args)) await benchServices(servicesOptionsFrom(args))
else await main(optionsFrom(args))
