/** Answers a file, whole or in part. Source: RFC 9110, 14. */
import { open } from 'node:fs/promises'
import { answer } from './route.ts'
import type { Answer, HandlerContext } from './route.ts'

export const OK_OR_PARTIAL = [200, 206] as const
const [OK, PARTIAL] = OK_OR_PARTIAL
const PIECE_BYTES = 65_536

export interface ServedFile {
  readonly path: string
  readonly bytes: number
  /** Hex. It is the entity tag, so a file with another content needs another one. */
  readonly sha256: string
}

interface ByteRange {
  readonly first: number
  readonly last: number
}

/** One range. Several, and what no file of this size has, are ignored: then the answer is the whole file. */
const RANGE = /^bytes=(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))$/

/** @param header undefined: the whole file is asked for. @returns undefined for the whole file */
export function byteRangeIn(header: string | undefined, bytes: number): ByteRange | undefined {
  const [, from, to, suffix] = RANGE.exec(header ?? '') ?? []
  const first = suffix === undefined ? Number(from) : Math.max(0, bytes - Number(suffix))
  const last = to === undefined ? bytes - 1 : Math.min(Number(to), bytes - 1)
  return first <= last ? { first, last } : undefined
}

/** For a route with `bytesReply` and `OK_OR_PARTIAL`. The file is opened when its first piece is read. */
export function fileAnswer(
  { header }: Pick<HandlerContext, 'header'>,
  { path, bytes, sha256 }: ServedFile,
): Answer<AsyncIterable<Uint8Array>> {
  const tag = `"${sha256}"`
  const headers = { ETag: tag, 'Accept-Ranges': 'bytes' }
  const isOther = ![undefined, tag].includes(header('if-range'))
  const range = isOther ? undefined : byteRangeIn(header('range'), bytes)
  if (!range) return answer(piecesOf(path, 0, bytes), OK, { ...headers, 'Content-Length': String(bytes) })
  const { first, last } = range
  return answer(piecesOf(path, first, last - first + 1), PARTIAL, {
    ...headers,
    'Content-Range': `bytes ${first}-${last}/${bytes}`,
    'Content-Length': String(last - first + 1),
  })
}

/** @throws Error for a file that is shorter than was said */
async function* piecesOf(path: string, from: number, bytes: number): AsyncGenerator<Uint8Array> {
  const file = await open(path)
  try {
    for (let done = 0; done < bytes;) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, bytes - done))
      const { bytesRead } = await file.read(piece, 0, piece.length, from + done)
      if (bytesRead === 0) throw new Error('A file that is being answered has become shorter')
      done += bytesRead
      yield piece.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}
