/**
 * Any service, for the tests of one file: a fresh database, a free port, real HTTP. After every test its
 * audit trail is checked. At the end of the file its read models are compared with rebuilt ones, and the
 * answers with the OpenAPI document.
 */
import { createHash } from 'node:crypto'
import { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { afterAll, afterEach, expect } from 'vitest'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { CommandContext } from '#kernel/events/event'
import type { RecordedEvent } from '#kernel/events/store-port'
import type { DatabaseClock } from '#kernel/lib/clock'
import { logger } from '#kernel/logging/log'
import type { ReadModel } from '#kernel/projections/read-model'
import { auditTrailCheck } from '#test/support/audit-trail-check'
import type { AuditExceptions } from '#test/support/audit-trail-check'
import { testDatabase } from '#test/support/database'
import { testEventStore } from '#test/support/event-store'
import { openApiCheck } from '#test/support/openapi-check'
import { outbox, settle } from '#test/support/settle-jobs'
import type { CoreWrappers } from '../../src/composition/core.ts'
import type { Service, ServiceSettings } from '../../src/composition/service.ts'
import { workerDependencies } from '../../src/composition/worker.ts'

export const SYSTEM: CommandContext = { actor: { type: 'SYSTEM', id: 'test' }, requestId: 'test' }

export interface CallOptions {
  readonly body?: unknown
  /** A bearer credential. */
  readonly as?: string | undefined
  readonly headers?: Record<string, string>
  /** Sent as it is, in place of `body`. */
  readonly raw?: string
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: any
  readonly text: string
}

export interface ServiceUnderTest<Settings extends ServiceSettings> {
  settings(databaseUrl: string, eventStoreUrl: string | undefined): Settings
  open(settings: Settings, log: Logger, wraps: CoreWrappers): Promise<Service>
  readonly readModels: readonly ReadModel[]
  /** Without them the audit trail is not checked. */
  readonly auditExceptions?: AuditExceptions
  /** Makes the event store fail. */
  readonly wrapStore?: CoreWrappers['store']
  /** Off for files whose tests break the read models on purpose. */
  readonly compareReadModels: boolean
  /** Called after time has passed: earlier sessions are not valid any more. */
  onTimePassed(): void
}

const NEWS_EVERY_MS = 10
const NEWS_WITHIN_MS = 100
/** Within the time of a test, so that a failure says what was waited for. */
const ENDS_WITHIN_MS = 45_000

/** The fingerprint of no rows. */
const EMPTY = createHash('md5').digest('hex')

/** For programs that call the base URL itself. Without a port in it, 0: any free one. */
const portIn = (baseUrl: string): number => Number(new URL(baseUrl).port)

/** Call at the top level of a test file: it registers its clean-up. */
export async function serve<Settings extends ServiceSettings>(tested: ServiceUnderTest<Settings>) {
  const { readModels } = tested
  const database = await testDatabase(readModels)
  const logged: string[] = []
  const hearing: ((line: string) => void)[] = [(line) => logged.push(line)]
  const sink = new Writable({
    write(chunk, _encoding, done) {
      for (const hear of hearing) hear(String(chunk))
      done()
    },
  })
  const eventStore = await testEventStore()
  const settings = tested.settings(database.loginUrl, eventStore.url)
  const log = logger({ level: 'debug', destination: sink })
  let aheadMs = 0
  const movable = (clock: DatabaseClock): DatabaseClock => ({
    ...clock,
    now: () => new Date(clock.now().getTime() + aheadMs),
  })
  const opened = await tested.open(settings, log, { store: tested.wrapStore, clock: movable })
  const { port } = await opened.listen(portIn(settings.baseUrl), '127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  const superuser = new pg.Pool({ connectionString: database.url, max: 2 })
  superuser.on('error', () => {})
  const catchUp = () => opened.projector.catchUp()
  const trail = tested.auditExceptions && auditTrailCheck({ database: superuser, catchUp }, tested.auditExceptions)
  if (trail) hearing.push(trail.hear)
  const document = openApiCheck(opened.composition.routes)
  hearing.push(document.hear)

  async function call(method: string, path: string, ask: CallOptions = {}): Promise<Reply> {
    const hasBody = ask.body !== undefined || ask.raw !== undefined
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
        ...(ask.as ? { authorization: `Bearer ${ask.as}` } : {}),
        ...ask.headers,
      },
      ...(hasBody ? { body: ask.raw ?? JSON.stringify(ask.body) } : {}),
    })
    const text = await response.text()
    trail?.see(response)
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
  }

  const run = <Result>(work: (unit: UnitOfWork) => Promise<Result>) => opened.commands.run(SYSTEM, work)

  async function fingerprints(): Promise<Record<string, string>> {
    const sums = readModels.map(
      ({ name, table }) =>
        `SELECT '${name}' AS name, md5(coalesce(string_agg(line, E'\\n' ORDER BY line), '')) AS sum FROM (SELECT t::text AS line FROM read.${table} t) AS lines`,
    )
    const { rows } = await superuser.query(sums.join(' UNION ALL '))
    return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]))
  }

  /** A read model that no event so far feeds must be empty, which a rebuild of it would find out more slowly. */
  async function rebuiltEqualsLive(): Promise<void> {
    await opened.projector.catchUp()
    const live = await fingerprints()
    const types = [...new Set((await history()).map(({ type }) => type))]
    const isFed = (model: ReadModel) => types.some((type) => model.isFedBy(type))
    const [fed, others] = [readModels.filter(isFed), readModels.filter((model) => !isFed(model))]
    for (const { name } of fed) await opened.projector.rebuild(name)
    const rebuilt = { ...(await fingerprints()), ...Object.fromEntries(others.map(({ name }) => [name, EMPTY])) }
    expect(rebuilt, 'read models rebuilt from events equal the live ones').toEqual(live)
  }

  /** All events after a position, through the port, so that every store gets the same query. */
  async function history(after = 0): Promise<RecordedEvent[]> {
    const all: RecordedEvent[] = []
    for (;;) {
      const page = await opened.store.readAll(all.at(-1)?.position ?? after, 1_000)
      if (page.length === 0) return all
      all.push(...page)
    }
  }

  /** All data of the database as text: events, unique constraints, read models, telemetry, keys. */
  async function dump(): Promise<string> {
    // In one query, because the way to Postgres and back for each of many tables takes longer than their rows do.
    const { rows: tables } = await superuser.query(
      `SELECT string_agg(format('SELECT %L || t::text AS line FROM %I.%I t', format('%I.%I ', schemaname, tablename), schemaname, tablename),
         ' UNION ALL ') AS query
       FROM pg_tables WHERE schemaname IN ('store', 'read', 'telemetry', 'vault')`,
    )
    const { rows } = await superuser.query<{ line: string }>(tables[0].query)
    const lines = rows.map(({ line }) => line)
    const log = [...eventStore.lines(), ...(await history()).map((event) => JSON.stringify(event))]
    return [...lines, ...log.map((line) => `log ${line}`)].join('\n')
  }

  const sent = outbox()
  let settledHead = 0

  async function settleDue(): Promise<number> {
    settledHead = await opened.store.head()
    return settle(
      workerDependencies(opened, settings, () => sent),
      () => opened.projector.catchUp(),
    )
  }

  /** Waits for an event after those that the last `settleDue` began with; not for long, because some work follows from none. */
  async function untilNews(): Promise<void> {
    const until = performance.now() + NEWS_WITHIN_MS
    while ((await opened.store.head()) === settledHead && performance.now() < until) await pause(NEWS_EVERY_MS)
  }

  if (trail) afterEach(trail.check)
  if (tested.compareReadModels) afterEach(catchUp)
  afterAll(async () => {
    try {
      if (tested.compareReadModels) await rebuiltEqualsLive()
    } finally {
      await opened.close()
      await superuser.end()
      await database.drop()
      await eventStore.stop()
    }
    document.check()
  })

  return {
    url,
    settings,
    opened,
    database,
    /** Runs SQL as the database's superuser. */
    superuser,
    /** Every log line so far. */
    logs: () => logged.join(''),
    call,
    run,
    history,
    dump,
    /** Whether the events are in `database`, with what only Postgres has: the chain and readable rows. */
    keepsEvents: settings.eventStoreUrl === undefined,
    rebuiltEqualsLive,
    /** Moves the service's clock: all code that asks for the time, but not now() in SQL. */
    passTime(ms: number): void {
      aheadMs += ms
      tested.onTimePassed()
    },
    /** Runs the reactions and timers that are due, and sends their mails. @returns how many */
    settle: settleDue,
    /** Settles again and again until what is read is so. @throws Error that says what was read last */
    async settledUntil<Value>(read: () => Promise<Value>, isSo: (value: Value) => boolean): Promise<Value> {
      const until = performance.now() + ENDS_WITHIN_MS
      for (;;) {
        await settleDue()
        const now = await read()
        if (isSo(now)) return now
        if (performance.now() > until) throw new Error(`After ${ENDS_WITHIN_MS} ms it is ${JSON.stringify(now)}`)
        await untilNews()
      }
    },
    /** The mails that `settle` has sent. */
    mails: sent.mails,
  }
}
