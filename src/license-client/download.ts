/** Downloads a file of a version by a link of the licensing service. */
import { LicenseRefused, NO_ANSWER } from './refusal.ts'

/** Without a byte. */
const SILENT_MS = 60_000

export interface Download {
  readonly fetch: typeof globalThis.fetch
  readonly link: URL
  /** Of the whole file, in bytes. */
  readonly size: number
  readonly signal: AbortSignal
}

/** @throws LicenseRefused for an answer of another length · what `fetch` throws · the reason of the signal */
export async function* downloadFile({ fetch, link, size, signal }: Download): AsyncGenerator<Uint8Array> {
  const silent = new AbortController()
  const timer = setTimeout(() => silent.abort(new Error('The licensing service sends no more')), SILENT_MS).unref()
  try {
    const response = await fetch(link, { redirect: 'manual', signal: AbortSignal.any([signal, silent.signal]) })
    if (response.status !== 200 || !response.body)
      throw new LicenseRefused(`The licensing service answered ${response.status} in place of the file`, NO_FILE)
    let bytes = 0
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
      timer.refresh()
      bytes += piece.length
      if (bytes > size) throw new LicenseRefused('The file is longer than the signed list says', NO_FILE)
      yield piece
      timer.refresh()
    }
    if (bytes < size) throw new LicenseRefused('The file was cut', NO_ANSWER)
  } finally {
    clearTimeout(timer)
  }
}

const NO_FILE = 'NO_FILE'
