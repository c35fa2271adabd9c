/** Declarations of kinds refuse to contradict themselves. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { askKind, kindsByName, planKind, taskKind } from '../../src/tasks/kind.ts'
import { echo, sleep, TEST_KINDS } from '../support/agent/kinds.ts'

const { name: _name, version: _version, ...spec } = echo

test('a kind has a name, a version, closed objects, and errors to try again after only with attempts', () => {
  expect(() => taskKind('Echo', 1, spec)).toThrow('section.verb')
  expect(() => taskKind('test.echo', 0, spec)).toThrow('version')
  expect(() => taskKind('test.echo', 1.5, spec)).toThrow('version')
  expect(() => taskKind('test.echo', 1, { ...spec, payload: z.object({ text: z.string() }) })).toThrow('strictObject')
  expect(() => taskKind('test.echo', 1, { ...spec, result: z.looseObject({ text: z.string() }) })).toThrow(
    'strictObject',
  )
  expect(() => taskKind('test.echo', 1, { ...spec, shows: ['password'] })).toThrow('password')
  expect(() => taskKind('test.echo', 1, { ...spec, attempts: 1 })).toThrow('tried again')
  expect(() => taskKind('test.echo', 1, { ...spec, retryOn: [] })).toThrow('tried again')
  expect(() => taskKind('test.echo', 1, { ...spec, attempts: 0, retryOn: [] })).toThrow('tried again')
})

test('lane and time may depend on the payload', () => {
  expect(echo.lane({ text: '', lane: 'a' })).toBe('a')
  expect(sleep.lane({ ms: 1 })).toBeNull()
  expect(sleep.runMs({ ms: 500 })).toBe(1_500)
  expect(echo.runMs({ text: '' })).toBe(60_000)
})

test('an ask is answered within half a minute, and a plan is named as a kind is', () => {
  const ask = { params: z.strictObject({}), answer: z.strictObject({}), needs: [], waitMs: 10_000 } as const
  expect(askKind('test.list', 1, ask)).toMatchObject({ name: 'test.list', waitMs: 10_000 })
  expect(() => askKind('test.list', 1, { ...ask, waitMs: 30_001 })).toThrow('30000')
  const plan = { body: z.strictObject({}), result: z.strictObject({}), needs: [], deadlineMs: 1, runMs: 1 } as const
  expect(planKind('mesh', 1, plan)).toMatchObject({ name: 'mesh', version: 1 })
  expect(() => planKind('mesh plan', 1, plan)).toThrow('section.verb')
})

test('no two kinds have one name', () => {
  expect(kindsByName(TEST_KINDS).get('test.echo')).toBe(echo)
  expect(() => kindsByName([echo, echo])).toThrow('the same name')
})
