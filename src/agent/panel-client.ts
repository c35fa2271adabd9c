/** Calls the panel's routes for agents. Answers are parsed: what the panel says is checked as what it is told. */
import type { z } from 'zod'
import { PollAnswer, ProgressAnswer, ResultAnswer, RUN_HEADER, SERVER_HEADER, UploadAnswer } from '../tasks/protocol.ts'
import type { PollBody, ProgressBody, ResultBody } from '../tasks/protocol.ts'
import { responseText } from './answer-text.ts'

const CALL_MS = 15_000
/** A live upload waits for its reader. */
const UPLOAD_MS = 120_000
/** Eight envelopes with secrets of 1 MiB each. */
const ANSWER_BYTES_MAX = 24 * 1_024 * 1_024

export interface PanelClientDependencies {
  /** Without a trailing slash. */
  readonly panelUrl: string
  readonly serverId: string
  readonly token: string
  /** A UUID for each start of the process. */
  readonly run: string
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** The panel has answered, but not what was asked for. */
export class PanelRefusal extends Error {
  override readonly name = 'PanelRefusal'
  readonly status: number
  readonly code: string
  /** Where an upload goes on. */
  readonly offset: number | undefined

  constructor(status: number, code: string, offset?: number) {
    super(`The panel answered ${status} ${code}`)
    this.status = status
    this.code = code
    this.offset = offset
  }
}

const refusalOf = ({ status, headers }: Response): PanelRefusal => {
  const offset = headers.get('upload-offset')
  return new PanelRefusal(status, headers.get('error-code') ?? '', offset === null ? undefined : Number(offset))
}

/** Whether the same call may be answered otherwise later. */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof PanelRefusal) || error.status >= 500 || [401, 408, 429].includes(error.status)

export interface PanelClient {
  /** @returns undefined if nothing has happened within the wait */
  poll(body: PollBody, signal: AbortSignal): Promise<PollAnswer | undefined>
  progress(taskId: string, body: ProgressBody, signal: AbortSignal): Promise<ProgressAnswer>
  result(taskId: string, body: ResultBody, signal: AbortSignal): Promise<ResultAnswer>
  /** @returns the offset of the next byte */
  upload(taskId: string, part: UploadPart, signal: AbortSignal): Promise<number>
  /** The bytes of the task's transfer from this one on. */
  download(taskId: string, from: number, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
}

export interface UploadPart {
  readonly at: number
  readonly bytes: Buffer
  /** Null until the end is known. */
  readonly total: number | null
}

/** RFC 9110, 14.4. A part without bytes says the length alone. */
const contentRange = ({ at, bytes, total }: UploadPart): string =>
  `bytes ${bytes.length === 0 ? '*' : `${at}-${at + bytes.length - 1}`}/${total ?? '*'}`

/** Each call throws PanelRefusal, or any error of the network. */
export function panelClient(parts: PanelClientDependencies): PanelClient {
  const { panelUrl, serverId, token, run, fetch = globalThis.fetch } = parts
  const own = {
    authorization: `Bearer ${token}`,
    [SERVER_HEADER]: serverId,
    [RUN_HEADER]: run,
  }

  async function send(path: string, init: RequestInit, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${panelUrl}/api/agent/${path}`, { ...init, headers: { ...own, ...headers }, redirect: 'error' })
  }

  async function post(path: string, body: object, ms: number, signal: AbortSignal): Promise<unknown> {
    const init = { method: 'POST', body: JSON.stringify(body), signal: within(ms, signal) }
    const response = await send(path, init, { 'content-type': 'application/json' })
    const text = await textOf(response)
    if (!response.ok) throw refusalOf(response)
    return response.status === 204 ? undefined : (JSON.parse(text) as unknown)
  }

  const parsed = async <S extends z.ZodType>(schema: S, answer: Promise<unknown>): Promise<z.output<S>> =>
    schema.parse(await answer)

  return {
    poll: (body, signal) => parsed(PollAnswer.optional(), post('poll', body, body.waitMs + CALL_MS, signal)),
    progress: (id, body, signal) => parsed(ProgressAnswer, post(`tasks/${id}/progress`, body, CALL_MS, signal)),
    result: (id, body, signal) => parsed(ResultAnswer, post(`tasks/${id}/result`, body, CALL_MS, signal)),
    async upload(id, part, signal) {
      const headers = { 'content-type': 'application/octet-stream', 'content-range': contentRange(part) }
      const body = part.bytes.length === 0 ? {} : { body: new Uint8Array(part.bytes) }
      const init = { method: 'POST', ...body, signal: within(UPLOAD_MS, signal) }
      const response = await send(`transfers/${id}/upload`, init, headers)
      const text = await textOf(response)
      if (!response.ok) throw refusalOf(response)
      return UploadAnswer.parse(JSON.parse(text)).received
    },
    async download(id, from, signal) {
      const response = await send(`transfers/${id}/download`, { signal }, from > 0 ? { range: `bytes=${from}-` } : {})
      if (response.ok) return (response.body ?? []) as AsyncIterable<Uint8Array>
      await textOf(response)
      throw refusalOf(response)
    },
  }
}

const within = (ms: number, signal: AbortSignal): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(ms)])

const textOf = (response: Response): Promise<string> => responseText(response, ANSWER_BYTES_MAX)
