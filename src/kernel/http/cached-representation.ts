/**
 * Responses that are the same for many requests: a page, a document, a list of keys.
 * The bytes are built once and compressed once per content coding. A client whose ETag matches gets
 * 304.
 */
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { codingFor } from './content-coding.ts'
import type { Coding } from './content-coding.ts'

/** A smaller response fits into one TCP packet, so compression gains nothing. */
const COMPRESSED_BYTES_MIN = 1_024
/** The maximum is 11. Levels 10 and 11 take ten times as long and save 1 % of the bytes. */
const BROTLI_QUALITY = 9

const compressed = { br: promisify(brotliCompress), gzip: promisify(gzip) }
const OPTIONS = { br: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }, gzip: { level: 9 } }

/** The request headers that select a representation. */
export interface RepresentationPreferences {
  readonly acceptEncoding: string | undefined
  readonly ifNoneMatch: string | undefined
}

export interface Representation {
  readonly headers: Readonly<Record<string, string>>
  /** Absent for a 304: the client has the current bytes. */
  readonly bytes?: Buffer
}

export class CachedRepresentation {
  readonly #plain: Buffer
  readonly #hash: string
  readonly #offered: readonly Coding[]
  readonly #coded = new Map<Coding, Promise<Buffer>>()

  constructor(text: string) {
    this.#plain = Buffer.from(text)
    this.#hash = hash('sha256', this.#plain, 'base64url')
    this.#offered = this.#plain.length < COMPRESSED_BYTES_MIN ? ['identity'] : ['br', 'gzip', 'identity']
  }

  async representationFor({ acceptEncoding, ifNoneMatch }: RepresentationPreferences): Promise<Representation> {
    const coding = codingFor(acceptEncoding, this.#offered)
    const etag = coding === 'identity' ? `"${this.#hash}"` : `"${this.#hash}-${coding}"`
    const headers = { ETag: etag, Vary: 'Accept-Encoding' }
    if (matchesETag(ifNoneMatch, etag)) return { headers }
    if (coding === 'identity') return { headers, bytes: this.#plain }
    return { headers: { ...headers, 'Content-Encoding': coding }, bytes: await this.#compressed(coding) }
  }

  /** Concurrent requests share one compression. */
  #compressed(coding: 'br' | 'gzip'): Promise<Buffer> {
    const known = this.#coded.get(coding) ?? compressed[coding](this.#plain, OPTIONS[coding])
    this.#coded.set(coding, known)
    known.catch(() => this.#coded.delete(coding))
    return known
  }
}

/** RFC 9110, 13.1.2: a list of tags with weak comparison, or `*`. */
const matchesETag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*')
