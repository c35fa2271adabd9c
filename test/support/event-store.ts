/**
 * Where the licensing tests keep their events, by EVENT_STORE: in Postgres, in the double of KurrentDB, or in
 * a real KurrentDB for each service.
 */
import { kurrentDouble } from './doubles/kurrentdb.ts'
import { kurrentServer } from './kurrentdb-server.ts'

const KINDS = {
  postgres: 'Postgres',
  double: 'a DOUBLE of KurrentDB, not a real server',
  container: 'a REAL KurrentDB, a container for each service',
}
type Kind = keyof typeof KINDS

export interface TestEventStore {
  /** The value of EVENT_STORE_URL; undefined for Postgres. */
  readonly url: string | undefined
  /** The stored records as text, read without the store. */
  lines(): string[]
  stop(): Promise<unknown>
}

/** @throws for an unknown value, so that a typing error does not silently test another store */
export function eventStoreKind(): { readonly kind: Kind; readonly what: string } {
  const kind = process.env['EVENT_STORE'] || 'postgres'
  if (!(kind in KINDS)) throw new Error(`EVENT_STORE must be one of ${Object.keys(KINDS).join(', ')}, not ${kind}`)
  return { kind: kind as Kind, what: KINDS[kind as Kind] }
}

/** An event store for the caller. @throws with the reason if a container is requested and none is available */
export async function testEventStore(): Promise<TestEventStore> {
  const { kind } = eventStoreKind()
  if (kind === 'postgres') return { url: undefined, lines: () => [], stop: async () => {} }
  if (kind === 'container') {
    const server = await kurrentServer()
    if (typeof server === 'string') throw new Error(`There is no real KurrentDB: ${server}`)
    return { url: server.url, lines: () => [], stop: () => server.stop() }
  }
  const double = await kurrentDouble()
  return {
    url: double.url,
    lines: () =>
      double.log.written.map(
        ({ stream, data, properties }) => `${stream} ${Buffer.from(data).toString()} ${JSON.stringify(properties)}`,
      ),
    stop: async () => double.stop(),
  }
}
