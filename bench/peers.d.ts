/**
 * The parts of the peers that are used here. They are installed when the bench runs; the type check runs
 * without them.
 */
declare module '@event-driven-io/dumbo' {
  export interface Dumbo {
    readonly execute: unknown
    close(): Promise<void>
  }
  export function dumbo(options: { connectionString: string }): Dumbo
  export function sql(text: string, ...values: string[]): string
}

declare module '@event-driven-io/emmett-postgresql' {
  import type { Dumbo } from '@event-driven-io/dumbo'
  import type { Pool } from 'pg'

  interface Event {
    type: string
    data: object
    metadata: object
  }
  interface Store {
    readonly schema: { migrate(): Promise<unknown> }
    appendToStream(
      stream: string,
      events: Event[],
      options: { expectedStreamVersion: bigint | 'STREAM_DOES_NOT_EXIST' },
    ): Promise<{ nextExpectedStreamVersion: bigint }>
    readStream(stream: string): Promise<{ events: unknown[] }>
    close(): Promise<void>
  }
  interface Projection {
    readonly name: string
  }
  export function getPostgreSQLEventStore(
    url: string,
    options?: { schema: { autoMigration: 'None' }; connectionOptions: { pool: Pool } },
  ): Store
  export function readMessagesBatch(
    execute: unknown,
    options: { after: bigint; batchSize: number },
  ): Promise<{ messages: unknown[] }>
  export function postgreSQLRawSQLProjection(options: {
    name: string
    canHandle: string[]
    evolve: (event: { data: { planSlug: string }; metadata: { streamName: string; streamPosition: bigint } }) => string
  }): Projection
  export function postgreSQLEventStoreConsumer(options: {
    connectionString: string
    pool: Dumbo
    pulling: { batchSize: number; pullingFrequencyInMs: number }
  }): {
    projector(options: { processorId: string; stopAfter: () => boolean; projection: Projection }): void
    init(): Promise<void>
    start(): Promise<void>
    close(): Promise<void>
  }
}

declare module '@castore/core' {
  export const GroupedEvent: new (options: {
    event: object
    eventStorageAdapter: object
    context: { eventStoreId: string }
  }) => object
}

declare module '@castore/event-storage-adapter-postgres' {
  import type { Sql } from 'postgres'

  interface Context {
    eventStoreId: string
  }
  export class PostgresEventStorageAdapter {
    _sql: Sql
    constructor(options: { connectionString: string; tableName: string })
    static createEventTable(options: {
      connectionString: string
      tableName: string
      aggregateId: { type: 'UUID' }
    }): Promise<unknown>
    pushEvent(event: object, context: Context): Promise<unknown>
    pushEventGroup(options: object, ...events: object[]): Promise<unknown>
    getEvents(aggregateId: string, context: Context): Promise<{ events: unknown[] }>
  }
}

declare module 'postgres' {
  export interface Sql {
    end(options: { timeout: number }): Promise<void>
  }
  function postgres(url: string, options: { max: number; types: { bigint: unknown }; onnotice: () => void }): Sql
  namespace postgres {
    const BigInt: unknown
  }
  export default postgres
}

declare module 'pg-copy-streams' {
  import type { Submittable } from 'pg'
  export function to(text: string): Submittable & AsyncIterable<Buffer>
}
