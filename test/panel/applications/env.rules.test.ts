/** The variables of an application without a service: masks, sets, limits, and names that every object has. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applicationEnv } from '#panel/applications/env/decider'
import type { ApplicationEnv, VariableInput } from '#panel/applications/env/decider'
import { applicationEnvEvents as events } from '#panel/applications/env/events'
import { MASK } from '#panel/projects/environments/decider'
import { AT, given } from '#test/support/decider-spec'

const idOf = (nth: number) => `01890000-0000-7000-8000-${String(nth).padStart(12, '0')}`
const about = { applicationId: idOf(1), projectId: idOf(2), environmentId: idOf(3) }
const [live, trial] = [idOf(4), idOf(5)]

const variable = (name: string, value: string, more: object = {}) =>
  events.ApplicationVariableSet({ ...about, setId: null, name, value, secret: false, when: 'RUN', ...more })
const write = (set: readonly VariableInput[], remove: readonly string[] = []) => ({ about, set, remove })
const added = (setId: string, name: string) => events.ApplicationEnvSetAdded({ ...about, setId, name })

describe('a variable', () => {
  const present = [variable('LEVEL', 'info'), variable('TOKEN', 'a secret', { secret: true, when: 'BOTH' })]

  test('keeps what a change does not name', () => {
    given(applicationEnv, present)
      .when('Write', write([{ name: 'TOKEN', value: 'another' }]))
      .then([variable('TOKEN', 'another', { secret: true, when: 'BOTH' })])
  })

  test('that is set as it is changes nothing', () => {
    const same = [
      { name: 'LEVEL', value: 'info' },
      { name: 'TOKEN', value: MASK },
    ]
    given(applicationEnv, present)
      .when('Write', write(same, ['UNKNOWN']))
      .then([])
  })

  test('that is secret keeps its value by its mask, and is not shown by it', () => {
    given(applicationEnv, present)
      .when('Write', write([{ name: 'TOKEN', value: MASK, when: 'RUN' }]))
      .then([variable('TOKEN', 'a secret', { secret: true })])
    given(applicationEnv, present)
      .when('Write', write([{ name: 'TOKEN', value: MASK, secret: false }]))
      .refused(400, /send the real value/)
  })

  test.each(['LEVEL', 'NEW'])('that is not secret cannot have the mask as its value: %s', (name) => {
    given(applicationEnv, present)
      .when('Write', write([{ name, value: MASK, secret: true }]))
      .refused(400, /send the real value/)
  })

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('may be called %s', (name) => {
    given(applicationEnv)
      .when('Write', write([], [name]))
      .then([])
    const set = given(applicationEnv).when('Write', write([{ name, value: '1' }]))
    set.then([variable(name, '1')])
    given(applicationEnv, set.events())
      .when('Write', write([{ name, value: '1' }]))
      .then([])
    given(applicationEnv, set.events())
      .when('Write', write([], [name]))
      .then([events.ApplicationVariableRemoved({ ...about, setId: null, name })])
  })

  test('is neither set twice nor set and removed, and no name of the panel is taken', () => {
    const twice = [
      { name: 'A', value: '1' },
      { name: 'A', value: '2' },
    ]
    given(applicationEnv)
      .when('Write', write(twice))
      .refused(400, /listed twice/)
    given(applicationEnv)
      .when('Write', write(twice.slice(1), ['A']))
      .refused(400, /listed twice/)
    given(applicationEnv)
      .when('Write', write([{ name: 'DAYBOOK_URL', value: '1' }]))
      .refused(400, /given by the panel/)
  })

  test('has room within 256 KiB in all, and what is removed makes room', () => {
    const long = 'x'.repeat(32_768)
    const full = Array.from({ length: 7 }, (_none, nth) => variable(`V${nth}`, long))
    given(applicationEnv, full)
      .when('Write', write([{ name: 'V7', value: 'x'.repeat(32_768 - 16) }]))
      .then([variable('V7', 'x'.repeat(32_768 - 16))])
    given(applicationEnv, full)
      .when('Write', write([{ name: 'V7', value: long }]))
      .refused(413, /256 KiB/)
    expect(
      given(applicationEnv, full)
        .when('Write', write([{ name: 'V7', value: long }], ['V0']))
        .events(),
    ).toHaveLength(2)
  })

  test('is one of at most 500', () => {
    const all = Array.from({ length: 500 }, (_none, nth) => variable(`V${nth}`, ''))
    given(applicationEnv, all)
      .when('Write', write([{ name: 'ONE_MORE', value: '' }]))
      .refused(409, /at most 500/)
  })
})

describe('a set of variables', () => {
  const both = [
    added(live, 'live'),
    added(trial, 'trial'),
    events.ApplicationEnvSetActivated({ ...about, setId: live }),
  ]

  test('is added with its variables, under a name of its own', () => {
    given(applicationEnv, both)
      .when('AddSet', { ...write([{ name: 'A', value: '1' }]), setId: idOf(6), name: 'other' })
      .then([added(idOf(6), 'other'), variable('A', '1', { setId: idOf(6) })])
    given(applicationEnv, both)
      .when('AddSet', { ...write([]), setId: idOf(6), name: 'live' })
      .refused(409, /already exists/)
    given(applicationEnv, both)
      .when('ChangeSet', { ...write([]), setId: trial, name: 'live' })
      .refused(409, /already exists/)
  })

  test('is one of at most 20', () => {
    const all = Array.from({ length: 20 }, (_none, nth) => added(idOf(100 + nth), `set ${nth}`))
    given(applicationEnv, all)
      .when('AddSet', { ...write([]), setId: idOf(6), name: 'one more' })
      .refused(409, /at most 20/)
  })

  test('stays while it is the active one', () => {
    given(applicationEnv, both)
      .when('RemoveSet', { about, setId: live })
      .refused(409, /activate another/)
    given(applicationEnv, both)
      .when('RemoveSet', { about, setId: trial })
      .then([events.ApplicationEnvSetRemoved({ ...about, setId: trial })])
    given(applicationEnv, both).when('Activate', { about, setId: live }).then([])
    given(applicationEnv, both)
      .when('Activate', { about, setId: idOf(9) })
      .refused(404, 'Not found')
  })
})

test('whatever is written, the active set is there, and a mask is never a value', () => {
  const name = fc.constantFrom('A', 'B', 'constructor', '__proto__')
  const value = fc.constantFrom('1', '2', MASK)
  const input = fc.record({ name, value, secret: fc.option(fc.boolean(), { nil: undefined }) })
  const setId = fc.constantFrom(live, trial)
  const command = fc.oneof(
    fc.tuple(fc.constant('Write' as const), fc.array(input, { maxLength: 2 }), fc.array(name, { maxLength: 1 }), setId),
    fc.tuple(fc.constant('AddSet' as const), fc.array(input, { maxLength: 2 }), fc.constant([]), setId),
    fc.tuple(fc.constant('RemoveSet' as const), fc.constant([]), fc.constant([]), setId),
    fc.tuple(fc.constant('Activate' as const), fc.constant([]), fc.constant([]), setId),
  )
  fc.assert(
    fc.property(fc.array(command, { maxLength: 12 }), (all) => {
      let state: ApplicationEnv = applicationEnv.initial
      for (const [kind, set, remove, id] of all) {
        const rule = applicationEnv.commands[kind] as (...given: unknown[]) => { type: string; data: unknown }[]
        try {
          // A second set with one id cannot be: ids are new.
          if (kind === 'AddSet' && state.sets[id]) continue
          const ask = { about, set, remove, setId: id, name: id }
          for (const event of rule(state, ask, { at: AT })) state = applicationEnv.evolve(state, event, AT)
        } catch {
          // A refusal changes nothing.
        }
        if (state.activeSetId !== null) expect(state.sets[state.activeSetId]).toBeDefined()
        const sets = Object.values(state.sets).map(({ variables }) => variables)
        for (const { value: stored } of [state.variables, ...sets].flatMap((each) => Object.values(each)))
          expect(stored).not.toBe(MASK)
      }
    }),
  )
})
