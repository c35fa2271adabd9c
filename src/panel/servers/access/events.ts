/** Who may use and manage a server. Without a rule, every account may use it. */
import { z } from 'zod'
import { eventsAbout, stream } from '#kernel/events/event'

const ruleId = z.uuid()

export const SERVER_LEVELS = ['USE', 'MANAGE'] as const
export type ServerLevel = (typeof SERVER_LEVELS)[number]

/** One of them is set: an account, the members of a team, or the accounts and keys that deploy in a project. */
export const subjectFields = {
  userId: z.uuid().nullable(),
  teamId: z.uuid().nullable(),
  projectId: z.uuid().nullable(),
}
export const accessRuleFields = { ...subjectFields, level: z.enum(SERVER_LEVELS) }
export type AccessSubject = z.output<z.ZodObject<typeof subjectFields>>

const subjectOf = ({ userId, teamId, projectId }: AccessSubject): string => {
  if (userId !== null) return userId
  return teamId === null ? `those who deploy in project ${projectId}` : `team ${teamId}`
}

const events = eventsAbout({ serverId: z.uuid() })({
  /** Strict, because the first rule closes the server. */
  ServerAccessGranted: {
    fields: { ruleId, ...accessRuleFields },
    sentence: ({ serverId, level, ...subject }) => `let ${subjectOf(subject)} ${level} server ${serverId}`,
    strict: true,
  },
  ServerAccessLevelChanged: {
    fields: { ruleId, level: accessRuleFields.level },
    sentence: ({ serverId, ruleId, level }) => `changed rule ${ruleId} of server ${serverId} to ${level}`,
    strict: true,
  },
  ServerAccessRevoked: {
    fields: { ruleId },
    sentence: ({ serverId, ruleId }) => `removed rule ${ruleId} of server ${serverId}`,
    strict: true,
  },
  /** The account, team or project of the rule ceased to exist. The rule stays, so that the server stays closed. */
  ServerAccessSubjectGone: {
    fields: { ruleId },
    sentence: ({ serverId, ruleId }) => `noted that rule ${ruleId} of server ${serverId} has no subject any more`,
  },
})

/** One stream for each server: a subject has one rule, and the number of rules is limited. */
export const serverAccessEvents = stream('serverAccess', events)
