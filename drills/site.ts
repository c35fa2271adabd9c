/** A customer's site: a database and the service's own processes on it, called over TCP. */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { readModels } from '../src/composition/licensing.ts'
import { freePort } from '../test/support/free-port.ts'
import { daybook } from '../test/support/processes/process.ts'
import type { ProcessResult, RunningProcess } from '../test/support/processes/process.ts'
import { asked, holesIn } from './ledger.ts'
import { leftover } from './leftovers.ts'
import type { Victim } from './postgres.ts'

export const ADMIN = { email: 'ada@staff.test', password: 'a long enough passphrase 42' }
export const SLUG = 'drill'
export const BASE_URL = 'http://licensing.test'
const ANSWER_WITHIN_MS = 15_000
const SETTLED_WITHIN_MS = 30_000
const VISIBLE_TRIES = 50
const BROKEN = new URL('broken/', import.meta.url)

export interface Reply {
  readonly status: number
  readonly body: any
}

export interface Site {
  /** The key of its processes; another process that opens the database needs it. */
  readonly secretKey: Buffer
  /** `broken` is a program of drills/broken in place of `daybook licensing`. */
  service(options?: { port?: number; broken?: string | undefined; env?: NodeJS.ProcessEnv }): Promise<Service>
  projector(env?: NodeJS.ProcessEnv): Promise<RunningProcess>
  /** Other conditions that must hold: the doctor's verdict, order, read models equal to rebuilt ones. */
  complaints(): Promise<string[]>
  /** Waits until every read model has reached the newest event. @returns false if that takes longer than 30 s */
  settled(): Promise<boolean>
  close(): Promise<void>
}

export interface Service extends RunningProcess {
  readonly port: number
}

/** @param url of a migrated database; `through` is the address by which the processes reach it, if another */
export function site(url: string, through = url): Site {
  const secretKey = randomBytes(32)
  const env: NodeJS.ProcessEnv = {
    DATABASE_URL: through,
    DAYBOOK_SECRET_KEY: secretKey.toString('base64'),
    DAYBOOK_ADMIN_EMAIL: ADMIN.email,
    DAYBOOK_ADMIN_PASSWORD: ADMIN.password,
    LICENSING_URL: BASE_URL,
    LICENSING_HOST: '127.0.0.1',
    AUTH_FAILURES_PER_MINUTE: '1000000',
    LOG_LEVEL: 'info',
  }
  const processes: RunningProcess[] = []
  const cleaned = leftover(() => processes.forEach(({ child }) => child.kill('SIGKILL')))

  function run(args: readonly string[], more: NodeJS.ProcessEnv = {}, program?: string): RunningProcess {
    const running = daybook(args, { ...env, ...more }, '/', program)
    processes.push(running)
    return running
  }

  const direct = (args: readonly string[]): Promise<ProcessResult> => run(args, { DATABASE_URL: url }).ended()

  return {
    secretKey,
    async service({ port, broken, env: more } = {}) {
      const own = port ?? (await freePort())
      const program = broken && new URL(broken, BROKEN).pathname
      const running = run(broken ? [] : ['licensing'], { ...more, LICENSING_PORT: String(own) }, program)
      await running.until('licensing service started')
      return { ...running, port: own }
    },
    async projector(more) {
      const running = run(['projector'], more)
      await running.until('projector started')
      return running
    },
    async complaints() {
      const doctor = await direct(['doctor'])
      const says = doctor.code === 0 ? [] : [`daybook doctor: ${doctor.said}${doctor.complained}`]
      return [...says, ...(await holesIn(url)), ...(await differences(url, () => direct(['rebuild'])))]
    },
    settled: () => settled(url),
    async close() {
      cleaned()
      await Promise.all(processes.map((running) => running.stop('SIGKILL')))
    },
  }
}

/** A site on this Postgres while the work runs; then both are ended. */
export async function onSite<Result>(postgres: Victim, work: (place: Site) => Promise<Result>): Promise<Result> {
  const place = site(postgres.url)
  try {
    return await work(place)
  } finally {
    await place.close()
    await postgres.stop()
  }
}

async function differences(url: string, rebuild: () => Promise<ProcessResult>): Promise<string[]> {
  if (!(await settled(url))) return ['a read model does not reach the newest event']
  const live = await fingerprints(url)
  const rebuilt = await rebuild()
  if (rebuilt.code !== 0) return [`the rebuild failed: ${rebuilt.complained}`]
  const again = await fingerprints(url)
  return Object.keys(live)
    .filter((name) => live[name] !== again[name])
    .map((name) => `${name}: live ${live[name]}, rebuilt ${again[name]}`)
}

async function settled(url: string): Promise<boolean> {
  for (const late = performance.now() + SETTLED_WITHIN_MS; performance.now() < late; await pause(100)) {
    const text = 'SELECT FROM read.projection WHERE position < (SELECT max(pos) FROM store.event)'
    if ((await asked(url, text)).length === 0) return true
  }
  return false
}

async function fingerprints(url: string): Promise<Record<string, string>> {
  const sums: Record<string, string> = {}
  for (const { name, table } of readModels) {
    const [row] = await asked<{ sum: string }>(
      url,
      `SELECT count(*) || ' rows ' || md5(coalesce(string_agg(line, E'\n' ORDER BY line), '')) AS sum
       FROM (SELECT t::text AS line FROM read.${table} t) AS lines`,
    )
    sums[name] = row!.sum
  }
  return sums
}

/** @throws if the connection breaks, or no answer arrives within 15 s */
export async function call(port: number, method: string, path: string, as?: string, body?: unknown): Promise<Reply> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    headers: {
      ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text }
}

/** On a busy machine a new credential may not be visible yet and is refused. */
async function must(port: number, path: string, body: unknown, as?: string, tries = VISIBLE_TRIES): Promise<any> {
  const reply = await call(port, 'POST', path, as, body)
  if (reply.status === 401 && as !== undefined && tries > 0) {
    await pause(100)
    return must(port, path, body, as, tries - 1)
  }
  if (reply.status >= 300) throw new Error(`${path} answers ${reply.status}: ${JSON.stringify(reply.body)}`)
  return reply.body
}

export async function signIn(port: number): Promise<string> {
  return (await must(port, '/api/admin/auth/login', ADMIN)).accessToken
}

/** @returns the secret of a machine token that may sell, until `expiresAt` if it is given */
export async function mint(port: number, session: string, expiresAt?: Date): Promise<string> {
  const body = { name: 'shop', permissions: ['licenses:manage', 'licenses:view'], ...(expiresAt ? { expiresAt } : {}) }
  return (await must(port, '/api/admin/machine-tokens', body, session)).secret
}

/** A plan, and the secret of a machine token that may sell it. */
export async function openShop(port: number): Promise<string> {
  const session = await signIn(port)
  await must(port, '/api/admin/plans', { slug: SLUG, name: 'Drill' }, session)
  return mint(port, session)
}
