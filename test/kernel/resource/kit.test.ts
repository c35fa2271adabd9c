/** The kit of plain sections: what one declaration makes, and what it refuses at start. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { sealed } from '#kernel/events/event'
import { changeOf } from '#kernel/resource/change-of'
import { columnsOf } from '#kernel/resource/columns-of'
import { record } from '#kernel/resource/record'
import { resource } from '#kernel/resource/resource'
import { resourceTable } from '#kernel/resource/resource-table'
import { given } from '#test/support/decider-spec'

const [ID, OTHER] = ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000002']

const colours = resource('PaintColour', {
  stream: 'paintColours',
  fields: { name: z.string(), tones: z.array(z.string()), mix: z.strictObject({ red: z.int() }).nullable() },
  itemsMax: 2,
  unique: {
    field: 'name',
    compared: (name) => name.toLowerCase(),
    message: 'Another colour has the same name',
    code: 'NAME_TAKEN',
  },
  rule(all) {
    if (all.some(({ tones }) => tones.length > 2)) throw new Error('more than two tones')
  },
})
const green = { name: 'Green', tones: ['dark'], mix: { red: 1 } }
const created = colours.Created({ paintColourId: ID, ...green })
const known = () => given(colours, [created, colours.Created({ paintColourId: OTHER, ...green, name: 'Blue' })])

test('the names of events, ids, tables and audit entries follow from the noun and the stream', () => {
  expect(colours.stream.types.map(({ type }) => type)).toEqual([
    'PaintColourCreated',
    'PaintColourChanged',
    'PaintColourDeleted',
  ])
  expect(created.data).toEqual({ paintColourId: ID, ...green })
  expect(colours.Changed.sentence(created.data)).toBe(`changed paint colour ${ID}`)
  expect(colours.Deleted.schema.safeParse({ paintColourId: ID, name: 'Green' }).success).toBe(true)
  expect(resourceTable(colours).table).toBe('paint_colours')
})

test('an item is created, changed and deleted', () => {
  expect(given(colours, [created]).state).toEqual([{ id: ID, ...green, createdAt: '2026-01-01T00:00:00.000Z' }])
  given(colours).when('Create', { id: ID, values: green }).then([created])
  known()
    .when('Change', { id: ID, changes: { tones: [], mix: undefined } })
    .then([colours.Changed({ paintColourId: ID, ...green, tones: [] })])
  known()
    .when('Change', { id: ID, changes: { mix: null } })
    .then([colours.Changed({ ...created.data, mix: null })])
  const deleted = colours.Deleted({ paintColourId: ID, name: 'Green' })
  known().when('Delete', { id: ID }).then([deleted])
  expect(given(colours, [created, deleted]).state).toEqual([])
})

test('a change that leaves every value as it is writes nothing', () => {
  known()
    .when('Change', { id: ID, changes: { ...green, tones: ['dark'], mix: { red: 1 } } })
    .then([])
  known().when('Change', { id: ID, changes: {} }).then([])
})

test('unknown items, taken names, too many items and broken rules are refused', () => {
  const unknown = '01890000-0000-7000-8000-00000000dead'
  known()
    .when('Change', { id: unknown, changes: { name: 'Red' } })
    .refused(404, 'Not found')
  known().when('Delete', { id: unknown }).refused(404, 'Not found')
  known()
    .when('Change', { id: ID, changes: { name: 'BLUE' } })
    .refused(409, 'Another colour has the same name')
  given(colours, [created])
    .when('Create', { id: OTHER, values: { ...green, name: 'GREEN' } })
    .refused(409, 'Another colour has the same name')
  expect(
    known()
      .when('Change', { id: ID, changes: { name: 'GREEN' } })
      .events(),
  ).toHaveLength(1)
  known()
    .when('Create', { id: unknown, values: { ...green, name: 'Red' } })
    .refused(409, 'At most 2 paint colours can exist: delete one first')
  const tones = ['light', 'dark', 'pale']
  expect(known().when('Change', { id: ID, changes: { tones } }).events).toThrow('more than two tones')
  expect(given(colours).when('Create', { id: ID, values: { ...green, tones } }).events).toThrow('more than two tones')
})

test('a record holds all of its values in each event, and writes nothing for what it holds already', () => {
  const limits = record('Limit', {
    of: { userId: z.uuid() },
    stream: 'limit',
    fields: { most: z.int().nullable(), least: z.int().nullable() },
    initial: { most: null, least: null },
    sentence: ({ userId, most }) => `set the limit of ${userId} to ${most}`,
  })
  const of = { userId: ID }
  const set = limits.Changed({ userId: ID, most: 3, least: null })
  given(limits)
    .when('Change', { of, changes: { most: 3 } })
    .then([set])
  given(limits, [set])
    .when('Change', { of, changes: { most: 3, least: undefined } })
    .then([])
  given(limits, [set])
    .when('Change', { of, changes: { least: 1 } })
    .then([limits.Changed({ ...set.data, least: 1 })])
})

test('a change is any of the fields and at least one, without defaults', () => {
  const change = changeOf({ name: z.string().default('usual'), size: z.int().nullable() })
  expect(change.parse({ size: null })).toEqual({ size: null })
  for (const refused of [{}, { name: undefined }, { colour: 'red' }, { size: '1' }])
    expect(change.safeParse(refused).success, JSON.stringify(refused)).toBe(false)
  const hidden = z.string().default('usual').pipe(z.string())
  expect(() => changeOf({ name: hidden })).toThrow('A change would set name by default')
})

test('columns follow from fields', () => {
  const sqlOf = (fields: z.ZodRawShape) => Object.values(columnsOf(fields, ({ id }) => id)).map(({ sql }) => sql)
  expect(
    sqlOf({ a: z.uuid(), b: z.iso.datetime(), c: z.string(), d: z.enum(['X']), e: z.int(), f: z.boolean() }),
  ).toEqual([
    'uuid NOT NULL',
    'timestamptz NOT NULL',
    'text COLLATE "C" NOT NULL',
    'text COLLATE "C" NOT NULL',
    'bigint NOT NULL',
    'boolean NOT NULL',
  ])
  expect(sqlOf({ a: z.array(z.string()), b: z.strictObject({}), c: z.uuid().nullable(), d: z.number() })).toEqual([
    'text[] NOT NULL',
    'jsonb NOT NULL',
    'uuid',
    'jsonb NOT NULL',
  ])
  expect(columnsOf({ note: sealed(z.string().nullable()) }, ({ id }) => id).note).toMatchObject({
    sql: 'text',
    sealed: { field: 'note' },
  })
  expect(() => columnsOf({ note: sealed(z.string()) })).toThrow('The field note is sealed')
  expect(() => columnsOf({ note: z.string().optional() })).toThrow('The field note may be absent')
})
