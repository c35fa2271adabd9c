/** Access rules of a server without a service: what they give, and who gives it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EventIn } from '#kernel/events/event'
import { Rejection } from '#kernel/lib/rejection'
import { serverAccess } from '#panel/servers/access/decider'
import { SERVER_LEVELS, serverAccessEvents } from '#panel/servers/access/events'
import type { AccessSubject, ServerLevel } from '#panel/servers/access/events'
import { levelOf, projectsNamedBy } from '#panel/servers/access/rules'
import { AT, given } from '#test/support/decider-spec'

const RUNS = 500
const idOf = (kind: string, nth: number) => `0189${kind}-0000-7000-8000-${String(nth).padStart(12, '0')}`
const serverId = idOf('0000', 1)
const ruleIdOf = (nth: number) => idOf('1111', nth)
const NOBODY: AccessSubject = { userId: null, teamId: null, projectId: null }
const user = (nth: number): AccessSubject => ({ ...NOBODY, userId: idOf('aaaa', nth) })
const team = (nth: number): AccessSubject => ({ ...NOBODY, teamId: idOf('bbbb', nth) })
const project = (nth: number): AccessSubject => ({ ...NOBODY, projectId: idOf('cccc', nth) })
const byManager = { isManager: true }
const byRule = { isManager: false }
const ONLY_MANAGERS = /servers:manage/

const granted = (nth: number, subject: AccessSubject, level: ServerLevel = 'USE') =>
  serverAccessEvents.ServerAccessGranted({ serverId, ruleId: ruleIdOf(nth), ...subject, level })
const ref = (nth: number) => ({ serverId, ruleId: ruleIdOf(nth) })

describe('rules', () => {
  test('a subject has one rule, also after it ceased to exist', () => {
    const ask = { ...ref(2), subject: user(1), level: 'USE' as const, by: byRule }
    const gone = serverAccessEvents.ServerAccessSubjectGone(ref(1))
    for (const events of [[granted(1, user(1))], [granted(1, user(1)), gone]])
      given(serverAccess, events)
        .when('Grant', ask)
        .refused(409, /has a rule/)
    given(serverAccess, [granted(1, user(2)), granted(3, team(1))])
      .when('Grant', ask)
      .then([granted(2, user(1))])
  })

  test('a server has at most 200 rules', () => {
    const all = Array.from({ length: 200 }, (_, nth) => granted(nth, user(nth)))
    const ask = { ...ref(999), subject: user(999), level: 'USE' as const, by: byRule }
    given(serverAccess, all)
      .when('Grant', ask)
      .refused(409, /at most 200/)
    given(serverAccess, all.slice(1))
      .when('Grant', ask)
      .then([granted(999, user(999))])
  })

  test('only servers:manage gives MANAGE, changes it and takes it', () => {
    const manage = { ...ref(2), subject: user(2), level: 'MANAGE' as const }
    given(serverAccess)
      .when('Grant', { ...manage, by: byRule })
      .refused(403, ONLY_MANAGERS)
    given(serverAccess)
      .when('Grant', { ...manage, by: byManager })
      .then([granted(2, user(2), 'MANAGE')])
    const rules = given(serverAccess, [granted(1, user(1)), granted(2, user(2), 'MANAGE')])
    rules.when('ChangeLevel', { ...ref(1), level: 'MANAGE', by: byRule }).refused(403, ONLY_MANAGERS)
    rules.when('ChangeLevel', { ...ref(2), level: 'USE', by: byRule }).refused(403, ONLY_MANAGERS)
    rules.when('Revoke', { ...ref(2), by: byRule }).refused(403, ONLY_MANAGERS)
    rules
      .when('ChangeLevel', { ...ref(2), level: 'USE', by: byManager })
      .then([serverAccessEvents.ServerAccessLevelChanged({ ...ref(2), level: 'USE' })])
    rules.when('ChangeLevel', { ...ref(1), level: 'USE', by: byRule }).then([])
    rules.when('Revoke', { ...ref(1), by: byRule }).then([serverAccessEvents.ServerAccessRevoked(ref(1))])
    rules.when('Revoke', { ...ref(9), by: byManager }).refused(404, 'Not found')
    rules.when('ChangeLevel', { ...ref(9), level: 'USE', by: byManager }).refused(404, 'Not found')
  })

  test('a subject that ceased to exist keeps its rule, which is noted once', () => {
    const ask = { serverId, subjectId: team(1).teamId! }
    const gone = serverAccessEvents.ServerAccessSubjectGone(ref(1))
    given(serverAccess, [granted(1, team(1)), granted(2, user(1))])
      .when('NoteSubjectGone', ask)
      .then([gone])
    given(serverAccess, [granted(1, team(1)), gone])
      .when('NoteSubjectGone', ask)
      .then([])
    given(serverAccess).when('NoteSubjectGone', ask).then([])
  })
})

describe('what rules give', () => {
  const reach = { isManager: false, userId: user(1).userId!, teamIds: [team(1).teamId!], projectIds: new Set<string>() }
  const rule = (subject: AccessSubject, level: ServerLevel = 'USE', isGone = false) => ({ ...subject, level, isGone })

  test('without a rule every caller may use the server, and no caller manages it', () => {
    expect(levelOf([], reach)).toBe('USE')
    expect(levelOf([], { ...reach, userId: undefined, teamIds: [] })).toBe('USE')
  })

  test('one rule closes it to all others, and servers:manage passes every rule', () => {
    expect(levelOf([rule(user(2))], reach)).toBeUndefined()
    expect(levelOf([rule(user(2))], { ...reach, isManager: true })).toBe('MANAGE')
  })

  test('a rule is for an account, a team, or those who deploy in a project; the highest level holds', () => {
    expect(levelOf([rule(user(1))], reach)).toBe('USE')
    expect(levelOf([rule(team(1))], reach)).toBe('USE')
    expect(levelOf([rule(project(1))], reach)).toBeUndefined()
    expect(levelOf([rule(project(1))], { ...reach, projectIds: new Set([project(1).projectId!]) })).toBe('USE')
    expect(levelOf([rule(user(1)), rule(team(1), 'MANAGE')], reach)).toBe('MANAGE')
  })

  test('a rule whose subject ceased to exist gives nothing, and keeps the server closed', () => {
    expect(levelOf([rule(user(1), 'MANAGE', true)], reach)).toBeUndefined()
    expect(projectsNamedBy([rule(project(1)), rule(project(2), 'USE', true), rule(user(1))])).toEqual([
      project(1).projectId,
    ])
  })

  test('a caller that acts for no account matches no rule of an account or a team', () => {
    expect(levelOf([rule(user(1)), rule(team(1))], { ...reach, userId: undefined, teamIds: [] })).toBeUndefined()
  })
})

/** Any sequence of commands, compared with a model: a list of subjects and levels. */
describe('any sequence of commands', () => {
  const subjects = [user(1), user(2), team(1), team(2), project(1), project(2)]
  const at = fc.nat({ max: subjects.length - 1 })
  const by = fc.constantFrom(byManager, byRule)
  const level = fc.constantFrom(...SERVER_LEVELS)
  const steps = fc.array(
    fc.oneof(
      fc.record({ does: fc.constant('grant' as const), at, level, by }),
      fc.record({ does: fc.constant('change' as const), at, level, by }),
      fc.record({ does: fc.constant('revoke' as const), at, by }),
      fc.record({ does: fc.constant('end' as const), at }),
    ),
    { maxLength: 30 },
  )
  const idOfSubject = ({ userId, teamId, projectId }: AccessSubject) => (userId ?? teamId ?? projectId)!

  function commandOf(
    step: typeof steps extends fc.Arbitrary<readonly (infer Step)[]> ? Step : never,
    nth: number,
    known?: string,
  ) {
    const [subject, ruleId] = [subjects[step.at]!, known ?? ruleIdOf(nth)]
    if (step.does === 'end') return ['NoteSubjectGone', { serverId, subjectId: idOfSubject(subject) }] as const
    if (step.does === 'grant')
      return ['Grant', { serverId, ruleId: ruleIdOf(nth), subject, level: step.level, by: step.by }] as const
    if (step.does === 'revoke') return ['Revoke', { serverId, ruleId, by: step.by }] as const
    return ['ChangeLevel', { serverId, ruleId, level: step.level, by: step.by }] as const
  }

  interface Known {
    readonly ruleId: string
    readonly level: ServerLevel
    readonly isGone: boolean
  }

  function modelled(
    model: Map<string, Known>,
    step: typeof steps extends fc.Arbitrary<readonly (infer Step)[]> ? Step : never,
    nth: number,
  ): 'refused' | 'done' {
    const id = idOfSubject(subjects[step.at]!)
    const known = model.get(id)
    if (step.does === 'end') {
      if (known) model.set(id, { ...known, isGone: true })
      return 'done'
    }
    if (step.does === 'grant') {
      if (known || (step.level === 'MANAGE' && !step.by.isManager)) return 'refused'
      model.set(id, { ruleId: ruleIdOf(nth), level: step.level, isGone: false })
      return 'done'
    }
    const isManage = known?.level === 'MANAGE' || (step.does === 'change' && step.level === 'MANAGE')
    if (!known || (isManage && !step.by.isManager)) return 'refused'
    if (step.does === 'revoke') model.delete(id)
    else model.set(id, { ...known, level: step.level })
    return 'done'
  }

  test('rules and refusals are those of the model, and only removals open the server', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const model = new Map<string, Known>()
        let state: any = serverAccess.initial
        all.forEach((step, nth) => {
          const known = model.get(idOfSubject(subjects[step.at]!))?.ruleId
          const [name, ask] = commandOf(step, nth, known)
          let events: readonly EventIn<typeof serverAccessEvents>[] | undefined
          try {
            events = (serverAccess.commands[name] as (...given: unknown[]) => typeof events)(state, ask)
          } catch (error) {
            if (!(error instanceof Rejection)) throw error
          }
          expect(events === undefined ? 'refused' : 'done').toBe(modelled(model, step, nth))
          const before = Object.keys(state).length
          for (const event of events ?? []) state = serverAccess.evolve(state, event, AT)
          if (before > 0 && Object.keys(state).length === 0) expect(step.does).toBe('revoke')
          expect(
            Object.values<any>(state).map((rule) => [idOfSubject(rule), rule.id, rule.level, rule.isGone]),
          ).toEqual([...model].map(([id, { ruleId, level, isGone }]) => [id, ruleId, level, isGone]))
        })
      }),
      { numRuns: RUNS },
    )
  })
})
