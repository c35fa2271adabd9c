/** Calls of the REST API of a provider of git. Its addresses come from users, so each call is checked. */
import { z } from 'zod'
import { found, reject } from '#kernel/lib/rejection'
import type { OutboundPolicy } from '#kernel/outbound/checked-connect'
import { request } from '#kernel/outbound/request'
import type { KeptAnswer } from '#kernel/outbound/request'
import type { OutgoingCall } from '#kernel/outbound/send-request'

const CALL_MS = 10_000
/** Of an answer, and of something that was created. */
const DONE: readonly number[] = [200, 201]

export interface ForgeConnection {
  /** The base of the REST API, without a slash at its end. */
  readonly api: string
  /** Empty: only what is public is read. */
  readonly token: string
  readonly reach: OutboundPolicy
  /** Aborted when the caller is gone. */
  readonly signal: AbortSignal
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>

export interface ForgeCalls {
  /** @throws Rejection 400 ADDRESS_REFUSED · 404 · 409 PROVIDER_REFUSED · PROVIDER_UNREACHABLE */
  json<S extends z.ZodType>(path: string, answer: S, query?: Query): Promise<z.output<S>>
  /** @throws as `json` */
  bytes(path: string, query?: Query): Promise<Buffer>
  /** Changes something there. @throws as `json` */
  send(method: 'POST' | 'PUT' | 'PATCH', path: string, body: object): Promise<void>
}

/** @throws as `ForgeCalls.json` */
export async function callForge(call: OutgoingCall, connection: Reaching): Promise<Buffer> {
  const { isWhole, body } = await answerOfForge(call, connection)
  return isWhole ? body : reject('conflict', 'The provider answers with more than 1 MiB', 'TOO_LONG')
}

type Reaching = Pick<ForgeConnection, 'reach' | 'signal'>

/** Of a long answer, the first MiB. @throws as `ForgeCalls.json` */
export async function answerOfForge(call: OutgoingCall, connection: Reaching): Promise<KeptAnswer> {
  const answer = await anyAnswerOf(call, connection)
  if (answer.status === 404) return found<never>(undefined)
  return DONE.includes(answer.status) ? answer : rejectStatus(answer.status)
}

/** @throws Rejection 400 ADDRESS_REFUSED · 409 PROVIDER_UNREACHABLE */
async function anyAnswerOf({ headers, ...call }: OutgoingCall, { reach, signal }: Reaching): Promise<KeptAnswer> {
  const answer = await request(
    {
      ...call,
      headers: { ...headers, 'User-Agent': 'daybook' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]),
    },
    reach,
  )
  return 'error' in answer ? rejectUnreached(answer) : answer
}

const FORM_HEADERS = { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' }

/** The answer with any status, for protocols that say in the body what is wrong. @throws as `anyAnswerOf` */
export const postForm = (
  url: string,
  form: Readonly<Record<string, string>>,
  connection: Reaching,
): Promise<KeptAnswer> =>
  anyAnswerOf({ method: 'POST', url, headers: FORM_HEADERS, body: new URLSearchParams(form).toString() }, connection)

/** @throws Rejection 409 PROVIDER_REFUSED for what does not have the form */
export function readForgeAnswer<S extends z.ZodType>(body: Buffer, form: S): z.output<S> {
  const parsed = form.safeParse(parseJson(body))
  return parsed.success ? parsed.data : rejectForeign()
}

/** @param authorization the header of that name */
export function forgeCalls({ api, ...connection }: ForgeConnection, authorization: string): ForgeCalls {
  async function bytes(path: string, query: Query = {}, accept = '*/*'): Promise<Buffer> {
    const url = new URL(`${api}${path}`)
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value))
    const headers = { ...(connection.token !== '' && { Authorization: authorization }), Accept: accept }
    return callForge({ method: 'GET', url: url.href, headers }, connection)
  }

  return {
    bytes,
    json: async (path, answer, query) => readForgeAnswer(await bytes(path, query, 'application/json'), answer),
    async send(method, path, body) {
      const headers = { Authorization: authorization, Accept: 'application/json', 'Content-Type': 'application/json' }
      await callForge({ method, url: `${api}${path}`, headers, body: JSON.stringify(body) }, connection)
    },
  }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

function rejectUnreached({ error, isAddressRefused }: { error: string; isAddressRefused: boolean }): never {
  if (isAddressRefused)
    reject('invalid', 'The provider has an address that is neither public nor allowed by GIT_ALLOW', 'ADDRESS_REFUSED')
  return reject('conflict', `The provider cannot be reached: ${error}`, 'PROVIDER_UNREACHABLE')
}

const rejectForeign = (): never =>
  reject('conflict', 'What answers there is not a provider of this kind: check the address', 'PROVIDER_REFUSED')

function rejectStatus(status: number): never {
  if (status === 401 || status === 403)
    reject('conflict', 'The provider refuses the credentials, or does not let them read this', 'PROVIDER_REFUSED')
  return reject('conflict', `The provider answers with status ${status}`, 'PROVIDER_REFUSED')
}

export const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** One thing at a time: pages of a list until one is not full or there are enough items. */
export async function allPages<Item>(
  page: (nth: number) => Promise<readonly Item[]>,
  { size, most }: { readonly size: number; readonly most: number },
): Promise<Item[]> {
  const all: Item[] = []
  for (let nth = 1; all.length < most; nth += 1) {
    const some = await page(nth)
    all.push(...some)
    if (some.length < size) break
  }
  return all.slice(0, most)
}

/** For providers that cannot search: a part of the name, in any case. */
export const isNamed = (name: string, search: string): boolean => name.toLowerCase().includes(search.toLowerCase())
