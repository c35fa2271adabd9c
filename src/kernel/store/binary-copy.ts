/**
 * COPY in the binary format, as a stream of blocks: the fastest way to read and write many rows. A block holds whole
 * rows, so that reading needs no promise for each row. Format: PostgreSQL manual, COPY, “Binary Format”.
 */
import { once } from 'node:events'
import type { ClientBase, Connection, Submittable } from 'pg'

const BLOCK_BYTES = 131_072
/** Blocks to read ahead of the consumer. With more, the socket is paused, so that memory stays bounded. */
const BLOCKS_AHEAD_MAX = 8
const UNSENT_BYTES_MAX = 1_048_576
/** Longer than any COPY (2^31 - 1 ms): the timeout of the pool is for queries of requests. */
const QUERY_TIMEOUT_MS = 2_147_483_647
/** Signature, flags, length of the extension. */
export const HEADER_BYTES = 19
const END_OF_ROWS = -1

/** Methods of pg's connection that its types do not declare. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void
  sendCopyFail(reason: string): void
  endCopyFrom(): void
}

/** The methods that `pg` calls on a query. */
abstract class CopyQuery implements Submittable {
  readonly query_timeout: number
  /** `pg` replaces it when it starts the query timeout; calling it clears the timeout. */
  callback: () => void = () => {}
  /** Set when the query has ended. */
  rows = 0
  readonly #text: string

  constructor(text: string, timeoutMs = QUERY_TIMEOUT_MS) {
    this.#text = text
    this.query_timeout = timeoutMs
  }

  submit(connection: Connection): void {
    connection.query(this.#text)
  }

  handleError(error: Error): void {
    this.callback()
    this.onEnd(error)
  }

  handleReadyForQuery(): void {
    this.callback()
    this.onEnd()
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = Number(text.split(' ').at(-1))
  }

  abstract onEnd(error?: Error): void
}

class CopyOutQuery extends CopyQuery {
  readonly #blocks: Buffer[] = []
  #block = Buffer.allocUnsafe(BLOCK_BYTES)
  #used = 0
  #connection: Connection | undefined
  #isEnded = false
  #error: Error | undefined
  #wake = () => {}

  handleCopyData({ chunk }: { chunk: Buffer }, connection: Connection): void {
    this.#connection = connection
    // Copied, because pg reuses the memory for the next message.
    if (this.#used + chunk.length > this.#block.length) this.#give(chunk.length)
    this.#used += chunk.copy(this.#block, this.#used)
    if (this.#blocks.length >= BLOCKS_AHEAD_MAX) connection.stream.pause()
  }

  #give(nextBytes: number): void {
    if (this.#used > 0) this.#blocks.push(this.#block.subarray(0, this.#used))
    this.#block = Buffer.allocUnsafe(Math.max(BLOCK_BYTES, nextBytes))
    this.#used = 0
    this.#wake()
  }

  onEnd(error?: Error): void {
    this.#error ??= error
    this.#isEnded = true
    this.#give(0)
  }

  async *blocks(): AsyncGenerator<Buffer, number> {
    try {
      for (;;) {
        const block = this.#blocks.shift()
        if (block) yield block
        else if (this.#error) throw this.#error
        else if (this.#isEnded) return this.rows
        else await this.#next()
      }
    } finally {
      // A consumer that stops early leaves rows in the socket, so the connection cannot be used again.
      if (!this.#isEnded) this.#connection?.stream.destroy()
    }
  }

  #next(): Promise<void> {
    this.#connection?.stream.resume()
    return new Promise((resolve) => (this.#wake = resolve))
  }
}

class CopyInQuery extends CopyQuery {
  readonly connection: Promise<CopyConnection>
  readonly done: Promise<void>
  #ready!: (connection: CopyConnection) => void
  #finish!: (error?: Error) => void

  constructor(text: string) {
    super(text)
    this.connection = new Promise((resolve) => (this.#ready = resolve))
    this.done = new Promise((resolve, reject) => (this.#finish = (error) => (error ? reject(error) : resolve())))
    this.done.catch(() => {})
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.#ready(connection)
  }

  onEnd(error?: Error): void {
    this.#finish(error)
  }
}

/**
 * Yields the rows of `select` as blocks for `CopyRowReader`; returns the number of rows. Stopping early ends the
 * connection.
 * @param select is put into the statement unescaped, because COPY takes no parameters
 * @param timeoutMs the default is longer than any COPY
 */
export function copyOut(client: ClientBase, select: string, timeoutMs?: number): AsyncGenerator<Buffer, number> {
  return client.query(new CopyOutQuery(`COPY (${select}) TO STDOUT (FORMAT binary)`, timeoutMs)).blocks()
}

/**
 * @param target such as `store.event (pos, id)`, put into the statement unescaped
 * @param blocks of `copyOut` for the same columns, or rows in PostgreSQL's text format, split anywhere
 * @returns the number of rows
 */
export async function copyIn(
  client: ClientBase,
  target: string,
  blocks: AsyncIterable<Buffer>,
  format: 'binary' | 'text' = 'binary',
): Promise<number> {
  const copy = client.query(new CopyInQuery(`COPY ${target} FROM STDIN (FORMAT ${format})`))
  const connection = await Promise.race([copy.connection, copy.done.then(() => undefined)])
  if (!connection) throw new Error(`The server did not ask for the rows of ${target}`)
  try {
    for await (const block of blocks) {
      connection.sendCopyFromChunk(block)
      if (connection.stream.writableLength > UNSENT_BYTES_MAX)
        await Promise.race([once(connection.stream, 'drain'), copy.done])
    }
  } catch (error) {
    connection.sendCopyFail('The source of the rows failed')
    await copy.done.catch(() => {})
    throw error
  }
  connection.endCopyFrom()
  await copy.done
  return copy.rows
}

/** Reads blocks row by row. */
export class CopyRowReader {
  readonly #blocks: AsyncIterator<Buffer>
  #block: Buffer = Buffer.alloc(0)
  #at = 0
  #end = 0
  #isFirst = true
  readonly #starts: number[] = []
  readonly #ends: number[] = []

  constructor(blocks: AsyncIterator<Buffer>) {
    this.#blocks = blocks
  }

  /** Moves to the next row of the current block. @returns false when it has none; then call `more` */
  next(): boolean {
    if (this.#end >= this.#block.length) return false
    const count = this.#block.readInt16BE(this.#end)
    if (count === END_OF_ROWS) {
      this.#end = this.#block.length
      return false
    }
    this.#at = this.#end + 2
    for (let field = 0; field < count; field += 1) this.#delimit(field)
    this.#end = this.#at
    return true
  }

  #delimit(field: number): void {
    // NULL has the length -1 and no bytes.
    const bytes = Math.max(0, this.#block.readInt32BE(this.#at))
    this.#starts[field] = this.#at + 4
    this.#at += 4 + bytes
    this.#ends[field] = this.#at
  }

  /** Fetches blocks until there is a row and moves to it. @returns false at the end of all rows */
  async more(): Promise<boolean> {
    for (;;) {
      const { value, done } = await this.#blocks.next()
      if (done) return false
      this.#block = value
      this.#end = this.#isFirst ? HEADER_BYTES : 0
      this.#isFirst = false
      if (this.next()) return true
    }
  }

  /** The bytes of a field of this row, without a copy. */
  bytes(field: number): Buffer {
    return this.#block.subarray(this.#starts[field], this.#ends[field])
  }

  /** An int8 field. */
  integer(field: number): number {
    return Number(this.#block.readBigInt64BE(this.#starts[field]))
  }
}
