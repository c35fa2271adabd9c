/**
 * `npm run probes [-- --seconds N] [--events N] [--only NAME]…`: what a reader of the global order can rely
 * on, for Daybook and for the peers whose packages the bench has installed. Peers are counted, not judged:
 * the exit code is about Daybook. `--events` is the number of events that Daybook must append during the
 * chaos; the peers get half a minute.
 */
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createTestDatabase, databaseUrl } from '../test/support/admin.ts'
import { scratchBase } from '../test/support/scratch-base.ts'
import { chaosOf } from './chaos.ts'
import { failed, told } from './drill.ts'
import { immediateShutdown } from './immediate-shutdown.ts'
import { killProjector } from './kill-projector.ts'
import { cluster } from './postgres.ts'
import type { Finding } from './probes/order.ts'

const OURS = { withinMs: 540_000, writerKills: 8, serverKills: 4 }
/** On a long log, some of them read each batch for seconds. */
const PEERS = { withinMs: 30_000, writerKills: 2, serverKills: 1 }
const SUBJECTS = ['daybook', 'emmett', 'message-db', 'castore', 'sequence']
const { values: asked } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    events: { type: 'string', default: '50000' },
    only: { type: 'string', multiple: true, default: SUBJECTS },
  },
})

async function inDirectory<Result>(work: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = join(scratchBase, `daybook-probe-${process.pid}-${randomBytes(4).toString('hex')}`)
  mkdirSync(directory, { mode: 0o711 })
  try {
    return await work(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

/** @returns undefined if the subject did not run; the reason has been printed */
async function findings(subject: string, url: string, elsewhere: string): Promise<readonly Finding[] | undefined> {
  const child = fork(new URL('probes/order.ts', import.meta.url), [subject, url, elsewhere, asked.seconds], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let complained = ''
  child.stderr!.on('data', (text) => (complained += String(text)))
  let found: Finding[] | undefined
  child.once('message', (message) => (found = message as Finding[]))
  await once(child, 'close')
  if (found) return found
  console.log(`${subject}: ${skipped(complained)}`)
  return undefined
}

const skipped = (complained: string): string =>
  `SKIPPED ${complained.includes('ERR_MODULE_NOT_FOUND') ? 'not installed (npm ci in bench/)' : complained.trim()}`

const line = (subject: string, { probe, lost, doubled, said }: Finding): string =>
  `${subject.padEnd(11)} ${probe.padEnd(36)} lost ${String(lost).padStart(6)}  doubled ${String(doubled).padStart(5)}  ${said}`

/** @returns whether Daybook lost or doubled an event */
async function order(directory: string): Promise<boolean> {
  const postgres = await cluster(directory)
  let isOurs = false
  try {
    await createTestDatabase(postgres.url, 'elsewhere')
    for (const subject of SUBJECTS.filter((each) => asked.only.includes(each))) {
      const database = `probe_${subject.replaceAll('-', '_')}`
      await createTestDatabase(postgres.url, database)
      const found = await findings(subject, databaseUrl(postgres.url, database), databaseUrl(postgres.url, 'elsewhere'))
      for (const each of found ?? []) console.log(line(subject, each))
      const holds = found?.every(({ lost, doubled }) => lost === 0 && doubled === 0) ?? false
      if (subject === 'daybook' && !holds) isOurs = true
    }
  } finally {
    await postgres.stop()
  }
  return isOurs
}

/** @returns whether Daybook lost or doubled an event, or a snapshot of its log had a gap */
async function chaos(directory: string): Promise<boolean> {
  const postgres = await cluster(directory, { max_wal_size: '256MB' })
  const events = Number(asked.events)
  let isOurs = false
  try {
    for (const subject of SUBJECTS.filter((each) => asked.only.includes(each))) {
      const options = { events, ...(subject === 'daybook' ? OURS : PEERS) }
      const tally = await chaosOf(subject, postgres, options).catch(String)
      console.log(
        `${subject.padEnd(11)} ${'chaos'.padEnd(36)} ${typeof tally === 'string' ? skipped(tally) : told(tally)}`,
      )
      if (subject === 'daybook') isOurs = typeof tally === 'string' || failed(tally)
    }
  } finally {
    await postgres.stop()
  }
  return isOurs
}

let isBad = await inDirectory(order)
isBad = (await inDirectory(chaos)) || isBad
if (asked.only.includes('daybook'))
  for (const drill of [immediateShutdown, killProjector]) {
    const tally = await inDirectory((directory) =>
      drill.run({ directory, isQuick: true, isBroken: false, breakNumber: 0 }),
    )
    console.log(`daybook     ${drill.name.padEnd(36)} ${told(tally)}`)
    isBad ||= failed(tally)
  }
console.log(isBad ? 'Daybook LOST or DOUBLED events.' : 'Daybook: 0 lost, 0 doubled.')
process.exit(isBad ? 1 : 0)
