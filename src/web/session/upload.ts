/** Sends a file and tells how much of it has been sent, which `fetch` does not. */
import { useQueryClient } from '@tanstack/react-query'
import { createCall } from '#api-client/call'
import type { CallArguments, CallInput } from '#api-client/call'
import type { Operation, Shape } from '#api-client/operation'
import { useSession } from './context.tsx'
import { useProof } from './proof.tsx'

/** @param share of the file, from 0 to 1 */
type Progress = (share: number) => void

type Upload = <S extends Shape>(operation: Operation<S>, input: CallInput<S>, told: Progress) => Promise<S['data']>

export function useUpload(): Upload {
  const { accessToken } = useSession()
  const { withProof } = useProof()
  const queries = useQueryClient()
  return async <S extends Shape>(operation: Operation<S>, input: CallInput<S>, told: Progress) => {
    const call = createCall({ baseUrl: '', token: accessToken, fetch: sending(told) })
    const { data } = await withProof(() => call(operation, ...([input] as unknown as CallArguments<S>)))
    await queries.invalidateQueries()
    return data
  }
}

/** Takes what `call` gives: an address, a method, headers and a body. */
const sending =
  (told: Progress): typeof fetch =>
  (address, { method = 'GET', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(method, address as string)
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
      request.upload.addEventListener('progress', ({ loaded, total }) => told(loaded / total))
      request.addEventListener('load', () => resolve(answerOf(request)))
      request.addEventListener('error', () => reject(new TypeError('The service cannot be reached')))
      request.addEventListener('abort', () => reject(new DOMException('The upload was stopped', 'AbortError')))
      signal?.addEventListener('abort', () => request.abort())
      request.send(body as XMLHttpRequestBodyInit)
    })

function answerOf(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().trim().split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  return new Response(request.responseText, { status: request.status, headers })
}
