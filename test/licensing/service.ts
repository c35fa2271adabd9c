/** A licensing service of the test file's own: a fresh database, a free port, real HTTP. Its read models are compared after every test. */
import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import pg from 'pg'
import { afterAll, afterEach, expect } from 'vitest'
import type { DatabaseClock } from '#kernel/clock'
import type { Unit } from '#kernel/command'
import type { CommandContext } from '#kernel/event'
import { logger } from '#kernel/log'
import type { EventStore, RecordedEvent } from '#kernel/store/port'
import { addStaff } from '#licensing/identity/staff-accounts'
import type { Role } from '#licensing/identity/permissions'
import { testDatabase } from '#test/database'
import { testEventStore } from '#test/event-store'
import { outbox, settle } from '#test/settle'
import { openLicensing, readModels } from '../../src/app.ts'
import type { Licensing, LicensingSettings } from '../../src/app.ts'
import { performingParts } from '../../src/open-worker.ts'

export const SYSTEM: CommandContext = { actor: { type: 'SYSTEM', id: 'test' }, requestId: 'test' }
export const STAFF_PASSWORD = 'a long enough passphrase 42'

export interface Ask {
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

/** Settings of the service that a test wants otherwise; `store` wraps the event store, to make it fail. */
export interface StartOptions extends Partial<Omit<LicensingSettings, 'databaseUrl'>> {
  readonly wrapStore?: (store: EventStore) => EventStore
  /** Off for files whose tests break the read models on purpose. */
  readonly compareReadModels?: boolean
}

export type TestService = Awaited<ReturnType<typeof startService>>

/** Call at the top level of a test file: registers its own clean-up. */
export async function startService({ wrapStore, compareReadModels = true, ...given }: StartOptions = {}) {
  const database = await testDatabase()
  const logged: string[] = []
  const sink = new Writable({ write: (chunk, _encoding, done) => (logged.push(String(chunk)), done()) })
  const eventStore = await testEventStore()
  const settings: LicensingSettings = {
    eventStoreUrl: eventStore.url,
    databaseUrl: database.url,
    secretKey: randomBytes(32),
    baseUrl: 'http://licensing.test',
    trustedProxies: { ranges: [], hops: 1 },
    authFailuresPerMinute: 1_000_000,
    metricsAllow: ['127.0.0.1', '::1'],
    mail: { from: { name: 'Daybook', address: 'daybook@licensing.test' }, folder: '/nowhere' },
    ...given,
  }
  const log = logger({ level: 'debug', destination: sink })
  let aheadMs = 0
  const movable = (clock: DatabaseClock): DatabaseClock => ({
    ...clock,
    now: () => new Date(clock.now().getTime() + aheadMs),
  })
  const licensing: Licensing = await openLicensing(settings, log, wrapStore, movable)
  const { port } = await licensing.listen(0, '127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  const superuser = new pg.Pool({ connectionString: database.url, max: 2 })
  superuser.on('error', () => {})

  async function call(method: string, path: string, ask: Ask = {}): Promise<Reply> {
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
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
  }

  const run = <Result>(work: (unit: Unit) => Promise<Result>) => licensing.commands.run(SYSTEM, work)
  const people = new Map<string, Promise<{ id: string; email: string; accessToken: string }>>()

  const added = new Map<Role, string>()

  async function person(role: Role) {
    const email = `${role.toLowerCase()}@staff.test`
    const about = { email, name: role, roles: [role], password: STAFF_PASSWORD }
    const id = added.get(role) ?? (await addStaff(run, licensing.vault, about)).id
    added.set(role, id)
    await licensing.projector.catchUp()
    const login = await call('POST', '/api/admin/auth/login', { body: { email, password: STAFF_PASSWORD } })
    expect(login.status, login.text).toBe(200)
    return { id, email, accessToken: login.body.accessToken as string }
  }

  /** A member of staff of this role, made and logged in once per service. */
  const somebody = (role: Role) => {
    if (!people.has(role)) people.set(role, person(role))
    return people.get(role)!
  }

  async function staff(role: Role = 'SUPERADMIN'): Promise<string> {
    return (await somebody(role)).accessToken
  }

  /** The secret of a machine token minted over HTTP. */
  async function token(permissions: readonly string[], more: object = {}): Promise<string> {
    const body = { name: `test ${permissions.join(' ')}`.slice(0, 100), permissions, ...more }
    const minted = await call('POST', '/api/admin/machine-tokens', { as: await staff(), body })
    expect(minted.status, minted.text).toBe(201)
    return minted.body.secret
  }

  async function fingerprints(): Promise<Record<string, string>> {
    const sums: Record<string, string> = {}
    for (const { name, table } of readModels) {
      const { rows } = await superuser.query(
        `SELECT md5(coalesce(string_agg(line, E'\n' ORDER BY line), '')) AS sum FROM (SELECT t::text AS line FROM read.${table} t) AS lines`,
      )
      sums[name] = rows[0].sum
    }
    return sums
  }

  async function rebuiltEqualsLive(): Promise<void> {
    await licensing.projector.catchUp()
    const live = await fingerprints()
    await licensing.projector.rebuild()
    expect(await fingerprints(), 'read models rebuilt from events equal the live ones').toEqual(live)
  }

  /** Everything that happened, through the port, so that it is the same question to every store. */
  async function history(): Promise<RecordedEvent[]> {
    const all: RecordedEvent[] = []
    for (;;) {
      const page = await licensing.store.readAll(all.at(-1)?.position ?? 0, 1_000)
      if (page.length === 0) return all
      all.push(...page)
    }
  }

  /** Everything that the database holds, as text: events, claims, read models, telemetry, keys. */
  async function dump(): Promise<string> {
    const { rows: tables } = await superuser.query(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('store', 'read', 'telemetry', 'vault')`,
    )
    const lines: string[] = []
    for (const { name } of tables) {
      const { rows } = await superuser.query(`SELECT t::text AS line FROM ${name} t`)
      lines.push(...rows.map(({ line }) => `${name} ${line}`))
    }
    const log = [...eventStore.lines(), ...(await history()).map((event) => JSON.stringify(event))]
    return [...lines, ...log.map((line) => `log ${line}`)].join('\n')
  }

  const sent = outbox()

  if (compareReadModels) afterEach(rebuiltEqualsLive)
  afterAll(async () => {
    await licensing.close()
    await superuser.end()
    await database.drop()
    await eventStore.stop()
  })

  return {
    url,
    settings,
    licensing,
    database,
    /** SQL as the database's superuser. */
    superuser,
    /** Every log line so far. */
    logs: () => logged.join(''),
    call,
    run,
    staff,
    somebody,
    token,
    history,
    dump,
    /** Whether the events are in `database`, and with them what only Postgres has: the chain, rows to look at. */
    keepsEvents: settings.eventStoreUrl === undefined,
    rebuiltEqualsLive,
    /** Moves the service's clock: everything that asks for the time, but not what SQL calls now(). */
    passTime(ms: number): void {
      aheadMs += ms
      // Whoever was logged in is not any more.
      people.clear()
    },
    /** Does what follows from what has happened and what is due: reactions, timers, their mails. */
    settle: () => settle(performingParts(licensing, settings, sent), () => licensing.projector.catchUp()),
    /** What `settle` has sent. */
    mails: sent.mails,
  }
}
