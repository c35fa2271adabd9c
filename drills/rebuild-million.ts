/**
 * A history of a million events as a selling installation writes it, followed live, rebuilt, backed up and
 * restored.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readModels } from '../src/composition/licensing.ts'
import type { EventToAppend, AppendPart } from '../src/kernel/events/store-port.ts'
import { postgresStore } from '../src/kernel/store/postgres/postgres-store.ts'
import { createTestDatabase, databaseUrl } from '../test/support/admin.ts'
import { goldenLog, goldenVersions } from '../test/support/golden-log.ts'
import { daybook } from '../test/support/processes/process.ts'
import type { RunningProcess } from '../test/support/processes/process.ts'
import type { Drill } from './drill.ts'
import { asked } from './ledger.ts'
import { leftover } from './leftovers.ts'
import { cluster, migrated } from './postgres.ts'
import type { Victim } from './postgres.ts'

const EVENTS = { full: 1_000_000, quick: 50_000 }
const APPENDED_EVENTS = 1_000
/** Stories that run side by side, so that rows change long after they were created. */
const SIDE_BY_SIDE = { full: 20_000, quick: 1_000 }
/** The other stories begin with a sale, because each member of staff sells little. */
const WHOLE_STORY_EACH = 20
const FOLLOWED_WITHIN_MS = 300_000
/** Promise D15, for a million events. */
const READY_WITHIN_MS = 300_000
const LOOK_MS = 5
const RESTORED = 'restored'

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

export const rebuildMillion: Drill = {
  name: 'rebuild-million',
  does: 'a million events (quick: 50,000) are followed live; rebuilt and restored read models must be equal, row by row',
  breaks: 'a row of a live read model is changed without an event',
  async run({ directory, isQuick, isBroken }) {
    const size = isQuick || isBroken ? 'quick' : 'full'
    const postgres = await migrated(await cluster(directory, { max_wal_size: '4GB' }))
    const processes = programs(postgres.url)
    try {
      const projector = processes.run(['projector'])
      await projector.until('projector started')
      const [acknowledged, appendedMs] = await timed(() => history(postgres.url, EVENTS[size], SIDE_BY_SIDE[size]))
      const [isFollowed, behindMs] = await timed(() => followed(postgres.url))
      await projector.stop()
      if (isBroken)
        await asked(
          postgres.url,
          `UPDATE read.licenses SET seats = 4711 WHERE id = (SELECT min(id::text)::uuid FROM read.licenses)`,
        )
      const live = await fingerprints(postgres.url)
      const [slowestMs, rebuiltMs] = await timed(() => readBeside(postgres.url, processes.done(['rebuild'])))
      const rebuilt = await fingerprints(postgres.url)
      const [restored, readyMs] = await restoredElsewhere(postgres, processes, join(directory, 'backup'))
      const [{ found }] = (await asked<{ found: number }>(
        postgres.url,
        'SELECT count(*)::int AS found FROM store.event',
      )) as [{ found: number }]
      return {
        acknowledged,
        found,
        lost: acknowledged - found,
        doubled: 0,
        broken: [
          ...(isFollowed ? [] : ['the live read models do not reach the newest event']),
          ...differences('rebuilt', live, rebuilt),
          ...differences('restored', live, restored),
          ...(readyMs > READY_WITHIN_MS ? [`restored and rebuilt only after ${seconds(readyMs)}`] : []),
        ],
        note: [
          `written in ${seconds(appendedMs)}, followed live ${seconds(behindMs)} later`,
          `${readModels.length} read models rebuilt in ${seconds(rebuiltMs)}, a reader beside them waited at most ${Math.round(slowestMs)} ms`,
          `restored, verified and rebuilt in ${seconds(readyMs)}`,
        ].join('; '),
      }
    } finally {
      await processes.end()
      await postgres.stop()
    }
  },
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

async function timed<Result>(work: () => Promise<Result>): Promise<[Result, number]> {
  const began = performance.now()
  return [await work(), performance.now() - began]
}

function programs(url: string) {
  const env = {
    DATABASE_URL: url,
    DAYBOOK_SECRET_KEY: randomBytes(32).toString('base64'),
    LICENSING_URL: 'http://licensing.test',
    LOG_LEVEL: 'info',
  }
  const all: RunningProcess[] = []
  const cleaned = leftover(() => all.forEach(({ child }) => child.kill('SIGKILL')))
  const run = (args: readonly string[], on = url): RunningProcess => {
    const running = daybook(args, { ...env, DATABASE_URL: on })
    all.push(running)
    return running
  }
  return {
    run,
    async done(args: readonly string[], on?: string): Promise<void> {
      const { code, said, complained } = await run(args, on).ended()
      if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${said}${complained}`)
    },
    async end(): Promise<void> {
      cleaned()
      await Promise.all(all.map((running) => running.stop('SIGKILL')))
    },
  }
}

/** The story of a purchase, repeated for other customers. @returns how many events were acknowledged */
async function history(url: string, events: number, sideBySide: number): Promise<number> {
  const store = postgresStore({ url })
  const stories = tellings()
  const open = Array.from({ length: sideBySide }, () => stories())
  let acknowledged = 0
  try {
    while (acknowledged < events) {
      const parts = new Map<string, EventToAppend[]>()
      for (let n = 0; n < APPENDED_EVENTS; n += 1) {
        const nth = randomInt(open.length)
        let next = open[nth]!.next()
        if (next.done) next = (open[nth] = stories()).next()
        const { stream, ...event } = next.value!
        parts.set(stream, [...(parts.get(stream) ?? []), event])
      }
      await store.append({
        parts: [...parts].map(([stream, each]): AppendPart => ({ stream, expected: 'any', events: each })),
      })
      acknowledged += APPENDED_EVENTS
    }
    return acknowledged
  } finally {
    await store.close()
  }
}

type Told = EventToAppend & { readonly stream: string }

const LICENSING = { name: 'licensing' } as const

/** The newest golden log; each repetition has its own ids. */
function tellings(): () => Iterator<Told, undefined> {
  const { events } = goldenLog(LICENSING, goldenVersions(LICENSING).at(-1)!)
  const lines = events.map(({ id, stream, type, schemaVersion, data, metadata }) =>
    JSON.stringify({ id, stream, type, schemaVersion, data, metadata }),
  )
  const sale = events.findIndex(({ type }) => type === 'CustomerRegistered')
  let telling = 0
  return function* tell() {
    telling += 1
    const own = telling.toString(16).padStart(8, '0')
    for (const line of telling % WHOLE_STORY_EACH === 0 ? lines : lines.slice(sale))
      yield JSON.parse(line.replace(UUID, (id) => id.slice(0, -own.length) + own)) as Told
    return undefined
  }
}

async function followed(url: string): Promise<boolean> {
  const behind = 'SELECT FROM read.projection WHERE position < (SELECT max(pos) FROM store.event)'
  for (const late = performance.now() + FOLLOWED_WITHIN_MS; performance.now() < late; await pause(50))
    if ((await asked(url, behind)).length === 0) return true
  return false
}

/** @returns the longest time that a reader had to wait meanwhile, in milliseconds */
async function readBeside(url: string, work: Promise<void>): Promise<number> {
  let [slowest, isDone] = [0, false]
  const ended = work.finally(() => (isDone = true))
  ended.catch(() => {})
  for (let nth = 0; !isDone; nth += 1) {
    const { table } = readModels[nth % readModels.length]!
    const [, ms] = await timed(() => asked(url, `SELECT FROM read.${table} LIMIT 1`))
    slowest = Math.max(slowest, ms)
    await pause(LOOK_MS)
  }
  await ended
  return slowest
}

async function restoredElsewhere(
  postgres: Victim,
  { done }: ReturnType<typeof programs>,
  backup: string,
): Promise<[Fingerprints, number]> {
  await done(['backup', backup])
  await createTestDatabase(postgres.url, RESTORED)
  const elsewhere = databaseUrl(postgres.url, RESTORED)
  const [, ms] = await timed(() => done(['restore', backup], elsewhere))
  return [await fingerprints(elsewhere), ms]
}

type Fingerprints = Readonly<Record<string, string>>

/** Of all rows in any order: two sums of 64-bit hashes, because a million rows are too long for one text. */
async function fingerprints(url: string): Promise<Fingerprints> {
  const sums: Record<string, string> = {}
  for (const { name, table } of readModels) {
    const hash = (seed: number) => `coalesce(sum(hashtextextended(t::text, ${seed})::numeric), 0)`
    const [row] = await asked<{ sum: string }>(
      url,
      `SELECT count(*) || ' rows, ' || ${hash(0)} || ', ' || ${hash(1)} AS sum FROM read.${table} t`,
    )
    sums[name] = row!.sum
  }
  return sums
}

const differences = (word: string, live: Fingerprints, other: Fingerprints): string[] =>
  Object.keys(live)
    .filter((name) => live[name] !== other[name])
    .map((name) => `${name}: live ${live[name]}, ${word} ${other[name]}`)
