/** Routes that say from which states of their record they can change something. */
import { expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { isPossibleFrom } from '#api-client/operation'
import type { RecordOf } from '#api-client/operation'
import { inState } from '#kernel/http/in-state'
import type { StateTable } from '#kernel/http/in-state'
import { openapi } from '#kernel/http/openapi/openapi'
import { operationsOf, statesText } from '#kernel/http/openapi/operations'
import { everyone, route } from '#kernel/http/route'
import { fits } from '#kernel/lib/record-states'
import { clientFiles } from '../../../scripts/client/files.ts'

const Task = z.object({
  id: z.uuid(),
  status: z.enum(['OPEN', 'DONE', 'LATE']),
  isHeld: z.boolean(),
  ownerId: z.uuid().nullable(),
})

const STARTABLE = { status: ['OPEN', 'LATE'], isHeld: [false], ownerId: 'set' } as const

const start = route('POST /api/tasks/:id/start', {
  does: 'Start a task.',
  access: everyone,
  from: inState(Task, STARTABLE),
  handle: async () => {},
})

const docs = { title: 'Tasks', version: '1.0.0', description: 'Tasks', errorCodes: [] }
const document = openapi([start], docs, 'http://127.0.0.1')
const open = { id: 'a', status: 'OPEN', isHeld: false, ownerId: 'b' } as const

const RECORDS = [
  [open, true],
  [{ ...open, status: 'LATE' }, true],
  [{ ...open, status: 'DONE' }, false],
  [{ ...open, isHeld: true }, false],
  [{ ...open, ownerId: null }, false],
] as const

it.each(RECORDS)('a record fits if each field has one of its values: %j is %s', (task, isPossible) => {
  expect(fits<z.output<typeof Task>>(task, STARTABLE)).toBe(isPossible)
  expect(isPossibleFrom({ openTo: [], from: STARTABLE }, task)).toBe(isPossible)
})

it('fits in any state if none is declared', () => {
  expect(fits(open, {})).toBe(true)
  expect(isPossibleFrom({ openTo: [] }, open)).toBe(true)
})

it('is in the document, in the words of its pages, and in the client', async () => {
  const [{ spec }] = operationsOf(document) as [ReturnType<typeof operationsOf>[number]]
  expect(spec['x-from']).toEqual(STARTABLE)
  expect(statesText(spec, (word) => `"${word}"`)).toBe(
    '"status" is "OPEN" or "LATE", and "isHeld" is "false", and "ownerId" is set',
  )
  const client = (await clientFiles('tasks', document, document)).get('tasks/tasks.ts')!
  expect(client).toContain('from: { status: ["OPEN", "LATE"], isHeld: [false], ownerId: "set" }'.replaceAll('"', "'"))
  expect(client.replaceAll(/\s+/g, ' ')).toContain(
    'readonly from: { readonly status: unknown; readonly isHeld: unknown; readonly ownerId: unknown }',
  )
})

it('does not compile for a field or a value that the record cannot have, and is refused at start', () => {
  // @ts-expect-error the field is misspelled
  expect(() => inState(Task, { state: ['OPEN'] })).toThrow('The record has no field state')
  // @ts-expect-error one of two fields is misspelled
  expect(() => inState(Task, { isHeld: [false], states: ['OPEN'] })).toThrow('The record has no field states')
  // @ts-expect-error the value is misspelled
  expect(() => inState(Task, { status: ['OPENED'] })).toThrow('The field status is never OPENED')
  const always: StateTable = { status: 'set' }
  expect(() => inState(Task, always as { status: 'set' })).toThrow('The field status is always set')
})

it('asks a page for the fields that decide', () => {
  interface Start {
    readonly from: { readonly status: unknown }
    readonly data: undefined
  }
  expectTypeOf<RecordOf<Start>>().toEqualTypeOf<{ readonly status: unknown }>()
  expectTypeOf<RecordOf<{ readonly data: undefined }>>().toEqualTypeOf<object>()
})
