/** The part of a KurrentDB that decides: one log of records, its streams, and what AppendRecords refuses. */
import { EventEmitter } from 'node:events'

export interface LogRecord {
  readonly stream: string
  readonly id: string
  readonly type: string
  readonly json: boolean
  readonly data: Uint8Array
  readonly properties: Readonly<Record<string, unknown>>
}

export interface WrittenRecord extends LogRecord {
  /** A byte offset: positions have gaps and do not count records. */
  readonly position: number
  /** Starts at 0. */
  readonly revision: number
  readonly created: Date
}

/** -1: no stream · -2: any · -4: exists · otherwise the last revision. */
export interface Check {
  readonly stream: string
  readonly expected: number
}

export interface Violation extends Check {
  readonly index: number
  readonly actual: number
}

export class KurrentLog {
  readonly written: WrittenRecord[] = []
  readonly grown = new EventEmitter().setMaxListeners(0)
  readonly #streams = new Map<string, WrittenRecord[]>()
  #end = 0

  constructor() {
    // A server's log begins with system records. A read of the whole log includes them unless it filters them.
    const data = Buffer.from('{}')
    for (const stream of ['$scavenges', '$users'])
      this.#write({ stream, id: crypto.randomUUID(), type: '$event', json: true, data, properties: {} })
  }

  stream(name: string): readonly WrittenRecord[] {
    return this.#streams.get(name) ?? []
  }

  last(name: string): number {
    return this.stream(name).length - 1
  }

  /** All failing checks in their order; the server reports all of them at once too. */
  violations(checks: readonly Check[]): Violation[] {
    return checks.flatMap(({ stream, expected }, index) => {
      const actual = this.last(stream)
      const holds = expected === -2 || (expected === -4 ? actual >= 0 : expected === actual)
      return holds ? [] : [{ index, stream, expected, actual }]
    })
  }

  append(records: readonly LogRecord[]): WrittenRecord[] {
    const written = records.map((record) => this.#write(record))
    this.grown.emit('grown')
    return written
  }

  #write(record: LogRecord): WrittenRecord {
    const stream = this.#streams.get(record.stream) ?? []
    this.#streams.set(record.stream, stream)
    const written = { ...record, position: this.#end, revision: stream.length, created: new Date() }
    this.#end += 100 + record.data.length
    stream.push(written)
    this.written.push(written)
    return written
  }
}
