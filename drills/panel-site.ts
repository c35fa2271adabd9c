/**
 * Panel processes on one database, called over TCP as through a proxy, so that each request has the source
 * address that the drill chooses.
 */
import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { pino } from 'pino'
import { emailKeyOf } from '#kernel/auth/sign-in'
import { hashPassword } from '#kernel/credentials/password'
import { hashSecret, newSecret, secretPrefix } from '#kernel/credentials/secret-token'
import { apiKeyEvents } from '#panel/api-keys/events'
import { users } from '#panel/users/decider'
import type { AccountStatus } from '#panel/users/events'
import { openPanelCore } from '../src/composition/panel.ts'
import type { PanelSettings } from '../src/composition/panel.ts'
import { freePort } from '../test/support/free-port.ts'
import { daybook } from '../test/support/processes/process.ts'
import type { RunningProcess } from '../test/support/processes/process.ts'
import { leftover } from './leftovers.ts'
import { cluster, migrated } from './postgres.ts'

const PROXY = '127.0.0.1'
const BASE_URL = 'http://panel.test'
const CONTEXT = { actor: { type: 'SYSTEM', id: 'drill' }, requestId: 'drill' }
const TERMS = { name: 'drill', scopes: ['platform:projects:view'], projectIds: null, allowedIps: [], expiresAt: null }
const AGENT = new Agent({ keepAlive: true })
export const PASSWORD = 'a long enough passphrase 42'

interface KeyTerms {
  readonly allowedIps?: string[]
  readonly expiresAt?: string
  readonly isRevoked?: boolean
}

export interface Asked {
  readonly path: string
  readonly from: string
  readonly authorization?: string
  /** `name=value`. */
  readonly cookie?: string
  /** Sent by POST; a request without a body is a GET. */
  readonly body?: unknown
}

export interface Answered {
  readonly status: number
  readonly tookMs: number
  /** Cookies in the form in which they are sent back: `name=value`. */
  readonly cookies: readonly string[]
}

export type PanelSite = Awaited<ReturnType<typeof panelSite>>

/** A Postgres in this directory with panels on it, while the work runs. */
export async function onPanels<Result>(
  directory: string,
  work: (place: PanelSite) => Promise<Result>,
): Promise<Result> {
  const postgres = await migrated(await cluster(directory))
  const place = await panelSite(postgres.url)
  try {
    return await work(place)
  } finally {
    await place.close()
    await postgres.stop()
  }
}

async function panelSite(databaseUrl: string) {
  const secretKey = randomBytes(32)
  const settings: PanelSettings = {
    databaseUrl,
    secretKey,
    baseUrl: BASE_URL,
    trustedProxies: { ranges: [], hops: 1 },
    authFailuresPerMinute: 1,
    metricsAllow: [],
  }
  const core = await openPanelCore(settings, pino({ level: 'silent' }))
  await core.projector.prepare()
  const env = {
    PANEL_DATABASE_URL: databaseUrl,
    PANEL_SECRET_KEY: secretKey.toString('base64'),
    PANEL_URL: BASE_URL,
    PANEL_HOST: PROXY,
    TRUSTED_PROXIES: PROXY,
    LOG_LEVEL: 'info',
  }
  const passwordHash = await hashPassword(PASSWORD)
  const processes: RunningProcess[] = []
  const cleaned = leftover(() => processes.forEach(({ child }) => child.kill('SIGKILL')))

  return {
    databaseUrl,
    /** @param broken a module of drills/broken that is loaded before the panel. @returns the port */
    async panel(broken: string | undefined, more: NodeJS.ProcessEnv = {}): Promise<number> {
      const port = await freePort()
      const loaded = broken && new URL(`broken/${broken}`, import.meta.url).href
      const all = {
        ...env,
        ...more,
        PANEL_PORT: String(port),
        ...(loaded ? { NODE_OPTIONS: `--import ${loaded}` } : {}),
      }
      const running = daybook(['panel'], all)
      processes.push(running)
      await running.until('panel started')
      return port
    },
    async account(status: AccountStatus = 'ACTIVE'): Promise<{ id: string; email: string }> {
      const email = `${randomBytes(6).toString('hex')}@panel.test`
      const emailKey = await emailKeyOf(core.vault, email)
      const id = await core.commands.run(CONTEXT, async (unit) => {
        const userId = unit.newId()
        await unit.decide(users, userId, 'AddUser', {
          userId,
          email,
          emailKey,
          name: null,
          role: 'USER',
          status,
          passwordHash,
        })
        return userId
      })
      return { id, email }
    },
    /** Bypasses the rules of minting, so the key may be expired at birth. @returns its secret */
    async key(ownerId: string, { isRevoked = false, ...terms }: KeyTerms = {}): Promise<string> {
      const secret = newSecret('k')
      const prefix = secretPrefix(secret)
      await core.commands.run(CONTEXT, async (unit) => {
        const apiKeyId = unit.newId()
        const minted = { ...TERMS, ...terms, apiKeyId, ownerId, prefix, hash: hashSecret(secret) }
        unit.appendEvent(apiKeyEvents, ownerId, apiKeyEvents.ApiKeyMinted(minted))
        if (isRevoked)
          unit.appendEvent(apiKeyEvents, ownerId, apiKeyEvents.ApiKeyRevoked({ apiKeyId, ownerId, prefix }))
      })
      return secret
    },
    /** Resolves when everything that was created can be used. */
    caughtUp: () => core.projector.catchUp(),
    async close() {
      cleaned()
      await Promise.all(processes.map((running) => running.stop('SIGKILL')))
      await core.close()
    },
  }
}

const part = (): string => randomBytes(2).toString('hex')

/** A /64 without earlier requests, without its last colons. */
export const newBlock = (): string => `2001:db8:${part()}:${part()}`

/** An address of a /64. */
export const address = (block = newBlock()): string => `${block}::${part()}`

/** Measures from the first byte sent to the last one received. */
export async function ask(port: number, asked: Asked): Promise<Answered> {
  for (;;) {
    const answered = await askedOnce(port, asked)
    if (answered) return answered
  }
}

/** @returns undefined if the panel had closed an idle connection, so that it has not read the request */
function askedOnce(port: number, { path, from, authorization, cookie, body }: Asked): Promise<Answered | undefined> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    'x-forwarded-for': from,
    ...(authorization === undefined ? {} : { authorization }),
    ...(cookie === undefined ? {} : { cookie }),
    ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
  }
  return new Promise((resolve, reject) => {
    const beganMs = performance.now()
    const method = text === undefined ? 'GET' : 'POST'
    const asking = request({ host: PROXY, port, path, method, headers, agent: AGENT }, (response) => {
      response.resume()
      const cookies = (response.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]!)
      response.once('end', () =>
        resolve({ status: response.statusCode!, tookMs: performance.now() - beganMs, cookies }),
      )
    })
    asking.once('error', (error) => (asking.reusedSocket ? resolve(undefined) : reject(error)))
    asking.end(text)
  })
}

export const signingIn = (email: string, password: string, from = address()): Asked => ({
  path: '/api/auth/login',
  from,
  body: { email, password },
})
