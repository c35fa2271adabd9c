/**
 * Answers that many requests share, such as a page, a document or a list of keys. Their bytes are made once and compressed once for
 * each coding, whoever asks how often; a client that has them is answered 304.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { codingFor } from './content-coding.ts'
import type { Coding } from './content-coding.ts'

/** What fits into one packet anyway is not compressed. */
const COMPRESSED_BYTES_MIN = 1_024
/** Of 11: the last steps take ten times as long for a hundredth of the bytes. */
const BROTLI_QUALITY = 9

const compressed = { br: promisify(brotliCompress), gzip: promisify(gzip) }
const OPTIONS = { br: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }, gzip: { level: 9 } }

/** What a request says of the representation that it wants. */
export interface RepresentationPreferences {
  readonly acceptEncoding: string | undefined
  readonly ifNoneMatch: string | undefined
}

export interface Representation {
  readonly headers: Readonly<Record<string, string>>
  /** Absent: the client has it. */
  readonly bytes?: Buffer
}

export class CachedRepresentation {
  readonly #plain: Buffer
  readonly #hash: string
  readonly #offered: readonly Coding[]
  readonly #coded = new Map<Coding, Promise<Buffer>>()

  constructor(text: string) {
    this.#plain = Buffer.from(text)
    this.#hash = createHash('sha256').update(this.#plain).digest('base64url')
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

  /** Also for those who ask while it is being done. */
  #compressed(coding: 'br' | 'gzip'): Promise<Buffer> {
    const known = this.#coded.get(coding) ?? compressed[coding](this.#plain, OPTIONS[coding])
    this.#coded.set(coding, known)
    known.catch(() => this.#coded.delete(coding))
    return known
  }
}

/** RFC 9110, 13.1.2: a list of tags, compared weakly, or a star. */
const matchesETag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*')
