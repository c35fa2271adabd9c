/** The tools of every tale: calls with an expected status, codes, passwords, password hashes of earlier releases. */
import assert from 'node:assert/strict'
import { argon2id, phcText } from '#kernel/credentials/argon2'
import type { CommandContext } from '#kernel/events/event'
import { stepAt, totpCode } from '#test/support/licensing/authenticator'
import { SYSTEM_ACTOR } from '../../src/composition/core.ts'
import type { FixedWorld } from './fixed-world.ts'

export const PASSWORDS = [
  'a long enough passphrase 42',
  'another long passphrase 43',
  'a third long passphrase 44',
] as const
export const GOLDEN: CommandContext = { actor: SYSTEM_ACTOR, requestId: 'golden' }

const STEP_MS = 30_000
const STEP_LEFT_MS_MIN = 5_000

export interface Chapters {
  readonly world: FixedWorld
  /** The events of `run` are the file of a section. A new chapter is the last one, and a new event the last of its chapter. */
  chapter<Result>(section: string, run: () => Promise<Result>): Promise<Result>
}

export interface Answered {
  readonly body: any
  readonly cookies: string
}

interface Asked {
  readonly as?: string
  readonly body?: unknown
  /** A file in place of a body. */
  readonly bytes?: Buffer
  readonly cookies?: string
  /** The expected status, if not one of success. */
  readonly status?: number
}

export type Call = (line: string, asked?: Asked) => Promise<Answered>

/** @throws AssertionError for an unexpected answer */
export function caller({ url, baseUrl, world }: { readonly url: string; readonly baseUrl: string } & Chapters): Call {
  return async (line, { as, body, bytes, cookies, status } = {}) => {
    world.tick()
    const [method = '', path = ''] = line.split(' ')
    const sent = bytes ? new Uint8Array(bytes) : body === undefined ? undefined : JSON.stringify(body)
    const response = await fetch(url + path, {
      method,
      headers: {
        origin: baseUrl,
        ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
        ...(cookies === undefined ? {} : { cookie: cookies }),
        ...(sent === undefined ? {} : { 'content-type': bytes ? 'application/octet-stream' : 'application/json' }),
      },
      ...(sent === undefined ? {} : { body: sent }),
    })
    const text = await response.text()
    assert.ok(status === undefined ? response.ok : response.status === status, `${line}: ${response.status} ${text}`)
    const set = response.headers.getSetCookie().map((each) => each.split(';')[0])
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { body: isJson ? JSON.parse(text) : undefined, cookies: set.join('; ') }
  }
}

/**
 * Codes of the previous and the current time step. Both must still be valid when they are used, so the end of
 * a step is avoided.
 */
export function codesOf(world: FixedWorld, secret: string): readonly [string, string] {
  const leftMs = STEP_MS - (Date.now() % STEP_MS)
  if (leftMs < STEP_LEFT_MS_MIN) world.advance(leftMs)
  const step = stepAt(Date.now())
  return [totpCode(secret, step - 1), totpCode(secret, step)]
}

/** With other parameters than today's, so that a sign-in hashes the password anew. */
export async function outdatedHash(password: string): Promise<string> {
  const cost = { memoryKiB: 8_192, passes: 1, lanes: 1 }
  const salt = Buffer.alloc(16, 7)
  return phcText({ cost, salt, hash: await argon2id(password, salt, cost) })
}
