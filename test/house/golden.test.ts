/** The code of today can replay the logs that earlier versions wrote. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { event } from '#kernel/events/event'
import type { RecordedEvent } from '#kernel/events/store-port'
import { testDatabase } from '#test/support/database'
import type { TestDatabase } from '#test/support/database'
import {
  unversionedChanges,
  declaredTypes,
  expectedOutcome,
  goldenCodec,
  GOLDEN_SERVICES,
  goldenLog,
  goldenVersions,
  refuseReleased,
  replayGoldenLog,
  shapesOf,
} from '#test/support/golden-log'
import type { GoldenOutcome, Shapes } from '#test/support/golden-log'

const WRITE_ANEW =
  'tell of it in a chapter of scripts/golden/tale.ts or panel-tale.ts and run `npm run golden`; of a released version it asks you to raise package.json first'

describe.each(GOLDEN_SERVICES)('$name', (golden) => {
  const newest = goldenLog(golden, goldenVersions(golden).at(-1)!)
  const declared = declaredTypes(golden)

  test('every event type stands in the newest log', () => {
    const told = new Set(newest.events.map(({ type }) => type))
    const missing = declared.filter(({ type }) => !told.has(type))
    expect(
      missing.map(({ type }) => type),
      WRITE_ANEW,
    ).toEqual([])
  })

  test('the newest log was written in the present version of every event type', () => {
    const versions = (shapes: Shapes) =>
      Object.fromEntries(Object.entries(shapes).map(([type, { version }]) => [type, version]))
    expect(versions(newest.shapes), WRITE_ANEW).toEqual(versions(shapesOf(declared)))
  })

  test('the newest log is one file a section, and its lines hold nothing that another event can move', () => {
    const folder = join(import.meta.dirname, '../golden', golden.name, newest.version)
    const names = newest.sections!.map(({ name }) => name)
    expect(names.filter((name) => !golden.sections.includes(name))).toEqual([])
    const logs = readdirSync(folder).filter((file) => file.endsWith('.ndjson'))
    expect(logs.toSorted()).toEqual(names.map((name) => `${name}.ndjson`).toSorted())
    const lines = logs.flatMap((file) => readFileSync(join(folder, file), 'utf8').trimEnd().split('\n'))
    expect(lines).toHaveLength(newest.events.length)
    expect(new Set(lines.map((line) => Object.keys(JSON.parse(line) as object).join()))).toEqual(
      new Set(['stream,id,type,schemaVersion,data,metadata']),
    )
  })

  test('every decider folds the logs', () => {
    const names = [...golden.ruleless, ...golden.deciders.map(({ stream }) => stream.name)]
    expect(names.toSorted()).toEqual(golden.streams.map(({ name }) => name).toSorted())
  })

  describe.each(goldenVersions(golden).map((version) => goldenLog(golden, version)))('$version', (log) => {
    const expected = expectedOutcome(golden, log.version)
    let database: TestDatabase
    let replaying: Promise<GoldenOutcome> | undefined
    beforeAll(async () => {
      database = await testDatabase()
    })
    afterAll(() => database.drop())
    const outcome = () => (replaying ??= replayGoldenLog(golden, log, database.url))

    test('no event type has changed its shape without raising its version', () => {
      const changed = unversionedChanges(log.shapes, shapesOf(declared))
      expect(changed, 'give it an upcaster; a version that is not released yet may be written anew').toEqual([])
    })

    test('every event is understood: upcast and opened, it is what its type declares today', async () => {
      const { codec } = goldenCodec(golden, log)
      const erased = new Set(log.events.flatMap(({ type, data }) => data[golden.erasedBy[type] ?? ''] ?? []))
      for (const recorded of log.events) {
        const { data } = await codec.decode(recorded as RecordedEvent)
        const understood = codec.typeOf(recorded.type).schema.safeParse(data)
        expect(understood.error?.message, `${recorded.type} at ${recorded.position}`).toBeUndefined()
        if (Object.values(golden.erasedBy).some((field) => erased.has(recorded.data[field] ?? ''))) continue
        expect(Object.values(data as object), 'nobody in here is erased in silence').not.toContain('ERASED')
      }
    })

    test('every decider comes to the same states', async () => {
      const hint = 'where rules have changed on purpose, raise the version of their snapshots'
      expect((await outcome()).states, hint).toEqual(expected.states)
    })

    test.each(Object.keys(expected.rows as object))('%s comes to the same rows', async (name) => {
      const rowsIn = ({ rows }: GoldenOutcome) => (rows as Record<string, unknown>)[name]
      expect(rowsIn(await outcome())).toEqual(rowsIn(expected))
    })

    test('every read model is looked at', async () => {
      expect(Object.keys((await outcome()).rows as object), WRITE_ANEW).toEqual(Object.keys(expected.rows as object))
    })
  })
})

test('the log of a released version is not written again', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n## [0.2.0] - 2027-01-01\n\n## 0.1.0\n'
  for (const released of ['0.1.0', '0.2.0']) expect(() => refuseReleased(released, changelog)).toThrow('is released')
  expect(() => refuseReleased('0.3.0', changelog)).not.toThrow()
})

/** Fixing the clock and randomness changes a whole process, so it has one of its own. */
const DRAWS = `
  import { fixWorld } from './scripts/golden/fixed-world.ts'
  import { uuidv7 } from './src/kernel/lib/uuid.ts'
  import { newWebhookSecret } from './src/kernel/outbound/standard-webhooks.ts'
  const world = fixWorld(new Date('2026-01-05T09:00:00Z'))
  const drawn = JSON.parse(process.argv[1]).map(([name, times]) => {
    world.startChapter(name)
    return Array.from({ length: times }, (_none, nth) => {
      const secret = newWebhookSecret()
      world.label([name, nth].join(' '))
      const id = uuidv7()
      world.label('')
      return [secret, id, Date.now()].join(' ')
    })
  })
  console.log(JSON.stringify(drawn))
`

function drawn(...chapters: readonly (readonly [name: string, times: number])[]): string[][] {
  const options = ['--input-type=module', '--eval', DRAWS, JSON.stringify(chapters)]
  const { stdout } = spawnSync(process.execPath, options, { cwd: join(import.meta.dirname, '../..'), encoding: 'utf8' })
  return JSON.parse(stdout) as string[][]
}

test('what a chapter of the log draws is fixed, and depends on no other chapter', () => {
  const [plans, shop] = drawn(['plans', 1], ['shop', 2])
  const [longer, unmoved] = drawn(['plans', 3], ['shop', 2])
  expect(longer).toHaveLength(3)
  expect(longer!.slice(0, 1)).toEqual(plans)
  expect(unmoved).toEqual(shop)
  expect(new Set([...longer!, ...shop!]).size).toBe(5)
})

test('a change of shape is silent only while the version stays', () => {
  const named = (shape: z.core.$ZodLooseShape, upcasters = 0) =>
    shapesOf([
      event('ThingNamed', 'thingId', { thingId: z.uuid(), ...shape }, () => '', {
        upcasters: Array.from({ length: upcasters }, () => (data) => data),
      }),
    ])
  const then = named({ name: z.string() })
  expect(unversionedChanges(then, named({ name: z.string() }))).toEqual([])
  expect(unversionedChanges(then, named({ name: z.string().max(9) }))).toEqual(['ThingNamed'])
  expect(unversionedChanges(then, named({ name: z.string().optional() }))).toEqual(['ThingNamed'])
  expect(unversionedChanges(then, named({ name: z.string().max(9) }, 1))).toEqual([])
})
