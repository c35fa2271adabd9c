/**
 * Every column can hold what the events that feed it can hold (D20). No read model parks an event that passes
 * its schema and the append.
 */
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { eventCodec } from '#kernel/events/codec'
import type { EventType, Stream } from '#kernel/events/event'
import type { EventToAppend } from '#kernel/events/store-port'
import { Rejection } from '#kernel/lib/rejection'
import { projector } from '#kernel/projections/projector'
import { kyselyFor } from '#kernel/projections/read-database'
import type { ReadModel } from '#kernel/projections/read-model'
import { servicePool } from '#kernel/store/connection'
import { postgresStore } from '#kernel/store/postgres/postgres-store'
import { memoryKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'
import * as licensing from '../../src/composition/licensing.ts'
import * as panel from '../../src/composition/panel.ts'
import { arbitraryFor } from '../support/arbitrary-data.ts'
import { testDatabase } from '../support/database.ts'

const STORIES = 6
const MORE_TRIES = 60
/** Two events make the same row. Deciders allow no such history, so the values are not the cause. */
const MADE_TWICE = /duplicate key value/

interface Side {
  readonly streams: readonly Stream[]
  readonly readModels: readonly ReadModel[]
}

const parts = ({ streams, readModels }: Side): Side => ({ streams, readModels })

/** One event of each type, with the stream that it is appended to. */
const storyOf = (types: readonly EventType[]): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .uuid()
    .chain((story) => fc.record(Object.fromEntries(types.map((type) => [type.type, arbitraryFor(type.schema, story)]))))

describe.each([
  ['licensing', parts(licensing)],
  ['panel', parts(panel)],
] as const)('%s', (_name, { streams, readModels }) => {
  test('no read model parks what an append takes', async () => {
    const { url, drop } = await testDatabase()
    const vault = openVault({ store: memoryKeyStore(), kek: randomBytes(32) })
    const codec = eventCodec(streams, vault)
    const [service, projecting] = [
      servicePool(url, { role: 'daybook_service' }),
      servicePool(url, { role: 'daybook_projector' }),
    ]
    const store = postgresStore({ pool: service })
    const readSide = projector({ store, codec, database: kyselyFor(projecting), models: readModels })
    await readSide.prepare()
    const types = [...new Set(streams.flatMap((each) => each.types))]
    const taken = new Map<string, number>(types.map(({ type }) => [type, 0]))
    const sent = new Map<string, unknown>()

    /** Appends to a new stream, so that no event waits behind another. */
    async function append(type: string, data: unknown): Promise<void> {
      const id = uuidv7()
      const metadata = await codec.metadata({ actor: { type: 'STAFF', id }, ip: '::1', requestId: id }, new Date())
      try {
        const event: EventToAppend = { id, ...(await codec.encode({ type, data })), metadata }
        await store.append({ parts: [{ stream: `any-${id}`, expected: 0, events: [event] }] })
      } catch (error) {
        // Refused by the schema, or because no column holds the value.
        if (error instanceof z.ZodError) return
        expect(error, `${type} ${JSON.stringify(data)}`).toBeInstanceOf(Rejection)
        expect((error as Rejection).statusCode).toBe(400)
        return
      }
      sent.set(`any-${id}`, { type, data })
      taken.set(type, taken.get(type)! + 1)
    }

    async function expectNoneParked(): Promise<void> {
      await readSide.catchUp()
      const parked = (await readSide.parkedStreams()).filter(({ error }) => !MADE_TWICE.test(error))
      const told = parked.map(({ projection, error, stream }) => ({
        projection,
        error,
        ...(sent.get(stream) as object),
      }))
      expect(told.map((each) => JSON.stringify(each).slice(0, 1_000))).toEqual([])
      expect((await readSide.status()).filter(({ lag }) => lag > 0)).toEqual([])
    }

    const untaken = () => types.filter(({ type }) => taken.get(type) === 0)

    try {
      await fc.assert(
        fc.asyncProperty(storyOf(types), async (story) => {
          for (const [type, data] of Object.entries(story)) await append(type, data)
          await expectNoneParked()
        }),
        { numRuns: STORIES, endOnFailure: true },
      )
      // An event with many texts is rarely accepted with all of them, so such events get a few more tries.
      for (const { type, schema } of untaken())
        for (const data of fc.sample(arbitraryFor(schema, uuidv7()), MORE_TRIES)) await append(type, data)
      await expectNoneParked()
      expect(untaken().map(({ type }) => type)).toEqual([])
    } finally {
      await store.close()
      await Promise.all([service.end(), projecting.end()])
      await drop()
    }
  })
})
