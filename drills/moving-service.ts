/**
 * A service whose clock the drill moves, so that weeks pass in minutes. The drill may stop and reopen it at
 * any time.
 */
import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { addStaff } from '#licensing/access/staff-accounts'
import { openLicensing } from '../src/composition/licensing.ts'
import type { Licensing, LicensingSettings } from '../src/composition/licensing.ts'
import { workerDependencies } from '../src/composition/worker.ts'
import { outbox, settle } from '../test/support/settle-jobs.ts'

const PERSON = {
  email: 'ada@staff.test',
  name: 'Ada',
  roles: ['SUPERADMIN' as const],
  password: 'a long enough passphrase 42',
}
const CONTEXT = { actor: { type: 'SYSTEM', id: 'drill' }, requestId: 'drill' }
const BASE_URL = 'http://licensing.test'

export type MovingService = Awaited<ReturnType<typeof movingService>>

export async function movingService(databaseUrl: string) {
  const settings: LicensingSettings = {
    databaseUrl,
    secretKey: randomBytes(32),
    baseUrl: BASE_URL,
    trustedProxies: { ranges: [], hops: 1 },
    authFailuresPerMinute: 1_000_000,
    metricsAllow: [],
  }
  let aheadMs = 0
  let session: { as: string; aheadMs: number } | undefined
  const open = () =>
    openLicensing(settings, pino({ level: 'silent' }), {
      clock: (clock) => ({ ...clock, now: () => new Date(clock.now().getTime() + aheadMs) }),
    })
  let licensing: Licensing = await open()
  let { port } = await licensing.listen(0, '127.0.0.1')
  await addStaff((work) => licensing.commands.run(CONTEXT, work), licensing.vault, PERSON)
  await licensing.projector.catchUp()

  async function call(method: string, path: string, as?: string, body?: unknown): Promise<any> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${text}`)
    return text.startsWith('{') ? JSON.parse(text) : text
  }

  /** Signs in anew, because sessions end while the drill moves the clock. */
  async function signedIn(): Promise<string> {
    if (session?.aheadMs === aheadMs) return session.as
    const { email, password } = PERSON
    const { accessToken } = await call('POST', '/api/admin/auth/login', undefined, { email, password })
    session = { as: accessToken, aheadMs }
    return accessToken
  }

  return {
    baseUrl: BASE_URL,
    now: () => licensing.clock.now(),
    pass: (ms: number) => void (aheadMs += ms),
    get: (path: string) => call('GET', path),
    ask: async (method: string, path: string, body?: unknown) => call(method, path, await signedIn(), body),
    run: <Result>(work: (unit: UnitOfWork) => Promise<Result>) => licensing.commands.run(CONTEXT, work),
    /** Runs what a worker does, immediately. */
    settle: () => settle(workerDependencies(licensing, settings, outbox), () => licensing.projector.catchUp()),
    /** Redirects every request to the current port, whatever its address. */
    fetch: ((url, init) => {
      const { pathname, search } = new URL(url)
      return fetch(`http://127.0.0.1:${port}${pathname}${search}`, init)
    }) as typeof globalThis.fetch,
    async restart(): Promise<void> {
      await licensing.close()
      licensing = await open()
      ;({ port } = await licensing.listen(0, '127.0.0.1'))
      await licensing.projector.catchUp()
    },
    close: () => licensing.close(),
  }
}
