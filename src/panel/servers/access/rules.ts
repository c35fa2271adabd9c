/** What access rules give to an account. */
import type { AccessSubject, ServerLevel } from './events.ts'

export interface AccessRule extends AccessSubject {
  readonly level: ServerLevel
  /** The account, team or project ceased to exist: the rule gives nothing, and keeps the server closed. */
  readonly isGone: boolean
}

/** Whom a caller acts for, as access rules name it. */
export interface ServerReach {
  /** Holds servers:manage, which passes all rules. */
  readonly isManager: boolean
  /** Undefined for a MACHINE key, which acts for no account. */
  readonly userId: string | undefined
  readonly teamIds: readonly string[]
  /** The projects, of those that rules name, in which the caller deploys. */
  readonly projectIds: ReadonlySet<string>
}

/** Projects on which the level of a caller can depend. */
export const projectsNamedBy = (rules: readonly AccessRule[]): string[] => [
  ...new Set(rules.flatMap(({ projectId, isGone }) => (projectId === null || isGone ? [] : [projectId]))),
]

/** Undefined: the caller may not use the server. */
export function levelOf(rules: readonly AccessRule[], reach: ServerReach): ServerLevel | undefined {
  if (reach.isManager) return 'MANAGE'
  if (rules.length === 0) return 'USE'
  const own = rules.filter((rule) => !rule.isGone && isAbout(rule, reach))
  if (own.some(({ level }) => level === 'MANAGE')) return 'MANAGE'
  return own.length > 0 ? 'USE' : undefined
}

const isAbout = (
  { userId, teamId, projectId }: AccessRule,
  reach: Pick<ServerReach, 'userId' | 'teamIds' | 'projectIds'>,
): boolean =>
  (userId !== null && userId === reach.userId) ||
  (teamId !== null && reach.teamIds.includes(teamId)) ||
  (projectId !== null && reach.projectIds.has(projectId))
