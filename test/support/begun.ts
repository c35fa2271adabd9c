/** The beginning of an answer that does not end, such as that of a change feed. */
import type { CallOptions, Reply } from './serve.ts'

export async function begun(url: string, { as, headers: more }: Pick<CallOptions, 'as' | 'headers'>): Promise<Reply> {
  const ending = new AbortController()
  const headers = { ...more, ...(as === undefined ? {} : { authorization: `Bearer ${as}` }) }
  const response = await fetch(url, { headers, signal: ending.signal })
  const text = response.ok ? '' : await response.text()
  ending.abort()
  return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) }
}
