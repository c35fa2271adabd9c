/**
 * A million events are written while writers, backends and Postgres are killed. A reader must get each of
 * them once.
 */
import { fork } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { createTestDatabase, databaseUrl } from '../test/support/admin.ts'
import type { Drill, Tally } from './drill.ts'
import { asked, eventsTold } from './ledger.ts'
import { leftover } from './leftovers.ts'
import { cluster } from './postgres.ts'
import type { Victim } from './postgres.ts'
import type { ReadAlong } from './probes/reader.ts'
import { writers } from './writers.ts'
import type { Writers } from './writers.ts'

const OURS = 'daybook'
const PROCESSES = 2
const LANES = 64
const EVENTS_AN_APPEND = '8'
/** Each has a connection of its own. */
const PEER_LANES = 16
const KILL_BACKEND_EACH_MS = 250
const FULL: ChaosOptions = { events: 1_000_000, withinMs: 540_000, writerKills: 20, serverKills: 8 }
const QUICK: ChaosOptions = { events: 100_000, withinMs: 60_000, writerKills: 6, serverKills: 3 }
const READ_ON_WITHIN_MS = 180_000
const FIRST_WITHIN_MS = 30_000

export interface ChaosOptions {
  /** The run ends when this many are acknowledged, or when the time is up. */
  readonly events: number
  readonly withinMs: number
  /** Spread over the whole run, by events or by time, whichever is further. */
  readonly writerKills: number
  readonly serverKills: number
}

interface Kills {
  backends: number
  writers: number
  servers: number
}

/** Design, event-store.md 5: 0 lost, 0 doubled, 0 gaps in every snapshot. */
export const chaos: Drill = {
  name: 'chaos',
  does: 'backends, writers and Postgres are killed again and again while a million events (quick: 100,000) are written and read along',
  breaks: 'positions from a sequence, and the cursor `position > last`',
  async run({ directory, isQuick, isBroken }) {
    const postgres = await cluster(directory, { max_wal_size: '256MB' })
    try {
      // A store that loses a thousand events in a minute needs no ten minutes.
      return await chaosOf(isBroken ? 'sequence' : OURS, postgres, isQuick || isBroken ? QUICK : FULL)
    } finally {
      await postgres.stop()
    }
  },
}

/**
 * Runs in a database of its own. @throws with the reader's error output, for example if a peer's package is
 * not installed
 */
export async function chaosOf(subject: string, postgres: Victim, options: ChaosOptions): Promise<Tally> {
  const isOurs = subject === OURS
  const database = `chaos_${subject.replaceAll('-', '_')}`
  await createTestDatabase(postgres.url, database)
  const url = databaseUrl(postgres.url, database)
  const reader = await readAlong(subject, url)
  const load = isOurs
    ? writers(url, PROCESSES, LANES, { args: [EVENTS_AN_APPEND] })
    : writers(url, PROCESSES, PEER_LANES, { program: 'probes/writer.ts', args: [subject] })
  const undone = leftover(() => void load.stop())
  try {
    const began = performance.now()
    const kills = await killed(postgres, url, load, options)
    const seconds = Math.round((performance.now() - began) / 1_000)
    await load.stop()
    const read = await reader.finish()
    const told = isOurs ? await eventsTold(url, load.acknowledged) : unnamed(load, read)
    const isEnough = !isOurs || told.acknowledged >= options.events
    return {
      ...told,
      lost: told.lost + read.missed,
      doubled: told.doubled + read.repeated,
      broken: [
        ...told.broken,
        ...(isOurs && read.gaps > 0 ? [`${read.gaps} gaps in snapshots`] : []),
        ...(isEnough ? [] : [`only ${told.acknowledged} of ${options.events} events in ${seconds} s`]),
      ],
      note:
        `${kills.backends} backends, ${kills.writers} writers and ${kills.servers} times Postgres killed in ${seconds} s; ` +
        `reader: missed ${read.missed}, repeated ${read.repeated}; ${read.gaps} gaps in ${read.snapshots} snapshots`,
    }
  } finally {
    undone()
    await load.stop()
    reader.end()
  }
}

/** If events have no ids, only their number can be compared. */
function unnamed({ acknowledged }: Writers, { stored }: ReadAlong): Omit<Tally, 'note'> {
  const { size } = acknowledged
  return { acknowledged: size, found: stored, lost: Math.max(0, size - stored), doubled: 0, broken: [] }
}

async function killed(postgres: Victim, url: string, load: Writers, options: ChaosOptions): Promise<Kills> {
  const kills: Kills = { backends: 0, writers: 0, servers: 0 }
  for (const late = performance.now() + FIRST_WITHIN_MS; load.acknowledged.size === 0; await pause(20))
    if (performance.now() > late) throw new Error(`No event is acknowledged within ${FIRST_WITHIN_MS} ms`)
  const began = performance.now()
  const done = () => Math.max(load.acknowledged.size / options.events, (performance.now() - began) / options.withinMs)
  while (done() < 1) {
    await pause(KILL_BACKEND_EACH_MS)
    kills.backends += (await asked(url, KILL_ONE)).length
    if (done() > (kills.writers + 0.5) / options.writerKills) {
      await load.replaceOne()
      kills.writers += 1
    }
    if (done() > (kills.servers + 0.5) / options.serverKills) {
      await postgres.kill()
      await postgres.start()
      kills.servers += 1
    }
  }
  return kills
}

const KILL_ONE = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle' ORDER BY random() LIMIT 1`

interface Reader {
  finish(): Promise<ReadAlong>
  end(): void
}

/** A separate process, because some peers change pg for the whole process. */
async function readAlong(subject: string, url: string): Promise<Reader> {
  const child = fork(new URL('probes/reader.ts', import.meta.url), [subject, url], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let complained = ''
  child.stderr!.on('data', (text) => (complained += String(text)))
  const end = () => void child.kill('SIGKILL')
  const undone = leftover(end)
  child.once('close', undone)
  const said = (within: number): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${subject} has not read all events within ${within} ms`)), within)
      child.once('message', resolve).once('close', () => reject(new Error(complained)))
      child.once('message', () => clearTimeout(late)).once('close', () => clearTimeout(late))
    })
  await said(READ_ON_WITHIN_MS)
  return {
    async finish() {
      const found = said(READ_ON_WITHIN_MS)
      child.send('finish')
      return (await found) as ReadAlong
    },
    end,
  }
}
