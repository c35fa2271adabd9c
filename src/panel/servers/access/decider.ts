import { decider } from '#kernel/events/decider'
import { found, reject } from '#kernel/lib/rejection'
import { withoutKey } from '#kernel/lib/without-key'
import { serverAccessEvents } from './events.ts'
import type { AccessSubject, ServerLevel } from './events.ts'
import type { AccessRule } from './rules.ts'

export interface KnownRule extends AccessRule {
  readonly id: string
  readonly createdAt: string
}

type Rules = Readonly<Record<string, KnownRule>>

/** Whether the caller holds servers:manage. Otherwise it manages the server by a rule, and no rule gives MANAGE. */
interface Authority {
  readonly isManager: boolean
}

interface RuleRef {
  readonly serverId: string
  readonly ruleId: string
}

const RULES_MAX = 200
const NO_RULES: Rules = {}

export const serverAccess = decider(serverAccessEvents, {
  initial: NO_RULES,
  evolve: {
    ServerAccessGranted: (rules, { serverId: _id, ruleId: id, ...rule }, at) =>
      withRule(rules, { ...rule, id, isGone: false, createdAt: at.toISOString() }),
    ServerAccessLevelChanged: (rules, { ruleId, level }) => withRule(rules, { ...rules[ruleId]!, level }),
    ServerAccessRevoked: (rules, { ruleId }) => withoutKey(rules, ruleId),
    ServerAccessSubjectGone: (rules, { ruleId }) => withRule(rules, { ...rules[ruleId]!, isGone: true }),
  },
  commands: {
    Grant: (rules, ask: RuleRef & { subject: AccessSubject; level: ServerLevel; by: Authority }) => {
      const { serverId, ruleId, subject, level, by } = ask
      mustGive(level, by)
      const all = Object.values(rules)
      if (all.some((rule) => idOf(rule) === idOf(subject)))
        reject('conflict', 'The server has a rule for this account, team or project: change that one', 'RULE_EXISTS')
      if (all.length >= RULES_MAX)
        reject('conflict', `A server can have at most ${RULES_MAX} access rules: remove one first`, 'TOO_MANY')
      return [serverAccessEvents.ServerAccessGranted({ serverId, ruleId, ...subject, level })]
    },
    ChangeLevel: (rules, { serverId, ruleId, level, by }: RuleRef & { level: ServerLevel; by: Authority }) => {
      const present = found(rules[ruleId])
      mustGive(present.level, by)
      mustGive(level, by)
      return present.level === level ? [] : [serverAccessEvents.ServerAccessLevelChanged({ serverId, ruleId, level })]
    },
    /** Removing the last rule opens the server to every account. */
    Revoke: (rules, { serverId, ruleId, by }: RuleRef & { by: Authority }) => {
      mustGive(found(rules[ruleId]).level, by)
      return [serverAccessEvents.ServerAccessRevoked({ serverId, ruleId })]
    },
    NoteSubjectGone: (rules, { serverId, subjectId }: { serverId: string; subjectId: string }) =>
      Object.values(rules)
        .filter((rule) => !rule.isGone && idOf(rule) === subjectId)
        .map(({ id: ruleId }) => serverAccessEvents.ServerAccessSubjectGone({ serverId, ruleId })),
  },
})

const withRule = (rules: Rules, rule: KnownRule): Rules => ({ ...rules, [rule.id]: rule })

/** The one that is set. Ids of accounts, teams and projects are different. */
const idOf = ({ userId, teamId, projectId }: AccessSubject): string => (userId ?? teamId ?? projectId)!

function mustGive(level: ServerLevel, { isManager }: Authority): void {
  if (level === 'MANAGE' && !isManager)
    reject('forbidden', 'Only callers with servers:manage give or take MANAGE of a server', 'PERMISSION_MISSING')
}
