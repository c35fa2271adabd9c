import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { reject } from '#kernel/lib/rejection'
import type { ActingUser } from '../users/decider.ts'
import {
  ConfigMailChanged,
  ConfigMailTested,
  ConfigRetentionChanged,
  configEvents,
  ConfigUrlsChanged,
} from './events.ts'

export type MailConfig = Omit<DataOf<typeof ConfigMailChanged>, 'configId'>
export type UrlConfig = Omit<DataOf<typeof ConfigUrlsChanged>, 'configId'>
export type RetentionConfig = Omit<DataOf<typeof ConfigRetentionChanged>, 'configId'>

export interface Config {
  readonly mail: MailConfig
  readonly urls: UrlConfig
  readonly retention: RetentionConfig
}

/** What is shown for a password, and means it where it is sent back. */
export const PASSWORD_MASK = '********'

type Changes<Values> = { readonly [Key in keyof Values]?: Values[Key] | undefined }

interface ConfigChange<Values> {
  readonly by: ActingUser
  readonly changes: Changes<Values>
  /** What the environment says, which nobody changes here. */
  readonly given: Changes<Values>
}

const NO_MAIL: MailConfig = { host: null, port: null, tls: null, user: null, password: null, from: null }

const EMPTY_CONFIG: Config = {
  mail: NO_MAIL,
  urls: { panel: null },
  retention: { notificationDays: null, telemetryDays: null },
}

export const config = decider(configEvents, {
  initial: EMPTY_CONFIG,
  evolve: {
    ConfigMailChanged: (all, { configId: _id, ...mail }) => ({ ...all, mail }),
    ConfigUrlsChanged: (all, { configId: _id, ...urls }) => ({ ...all, urls }),
    ConfigRetentionChanged: (all, { configId: _id, ...retention }) => ({ ...all, retention }),
    ConfigMailTested: (all) => all,
  },
  commands: {
    /** @param ask.hasSender whether mails are from somebody where nobody says from whom */
    ChangeMail: ({ mail }, { by, changes, given, hasSender }: ConfigChange<MailConfig> & { hasSender: boolean }) => {
      const { password, ...others } = openChanges('mail', changes, given)
      const isKept = password === PASSWORD_MASK
      if (isKept && mail.password === null) rejectInvalid('mail.password: there is none yet')
      const decided = { ...mail, ...others, ...(isKept || password === undefined ? {} : { password }) }
      const next = decided.host === null ? { ...NO_MAIL, from: decided.from } : decided
      const isNew = password !== undefined && !isKept
      if (next.password !== null && !isNew && isOtherServer(mail, next))
        rejectInvalid('mail.password: must be given again for another server, another port or other TLS')
      if ((next.user === null) !== (next.password === null))
        rejectInvalid('mail.user and mail.password: set both or neither')
      if (next.password !== null && next.tls === 'OPTIONAL') rejectInvalid('mail.tls: a password is only sent over TLS')
      if (next.port !== null && !isMailPort(next.port))
        rejectInvalid('mail.port: must be 25, 465, 587, or 1024 to 65535')
      if (next.host !== null && next.from === null && !hasSender) rejectInvalid('mail.from: must be set with mail.host')
      rejectUnlessSuperadmin(by, mail, next)
      return [ConfigMailChanged({ configId: 'mail', ...next })]
    },
    ChangeUrls: ({ urls }, { by, changes, given }: ConfigChange<UrlConfig>) => {
      const next = { ...urls, ...openChanges('urls', changes, given) }
      rejectUnlessSuperadmin(by, urls, next)
      return [ConfigUrlsChanged({ configId: 'urls', ...next })]
    },
    ChangeRetention: ({ retention }, { changes }: Pick<ConfigChange<RetentionConfig>, 'changes'>) => [
      ConfigRetentionChanged({ configId: 'retention', ...retention, ...openChanges('retention', changes, {}) }),
    ],
    NoteMailTest: (_all, test: Omit<DataOf<typeof ConfigMailTested>, 'configId'>) => [
      ConfigMailTested({ configId: 'mail', ...test }),
    ],
  },
})

/** Those of mail, and those that no server of the system has. */
const isMailPort = (port: number): boolean => [25, 465, 587].includes(port) || port >= 1_024

/** Whoever may change the server must not learn by it what the password is that he is not shown. */
const isOtherServer = (before: MailConfig, after: MailConfig): boolean =>
  before.host !== after.host || before.port !== after.port || before.tls !== after.tls

/**
 * Everybody's links go by the mail server and to the URL, those of whoever stands above an ADMIN among them: who may name either could
 * be anybody. @throws Rejection 403 HIERARCHY
 */
function rejectUnlessSuperadmin<Values extends object>(by: ActingUser, before: Values, after: Values): void {
  const keys = Object.keys(after) as (keyof Values)[]
  if (by.role !== 'SUPERADMIN' && keys.some((key) => after[key] !== before[key]))
    reject('forbidden', 'Only a SUPERADMIN decides by which server mails go and where links lead', 'HIERARCHY')
}

/** What is left to decide, once what is sent back as it was shown is dropped. @throws Rejection 409 for what the environment says otherwise */
function openChanges<Values>(part: string, changes: Changes<Values>, given: Changes<Values>): Partial<Values> {
  const named = Object.entries(changes).filter(([, value]) => value !== undefined)
  const isGiven = (key: string): key is keyof Values & string => (given as Record<string, unknown>)[key] !== undefined
  for (const [key, value] of named)
    if (isGiven(key) && given[key] !== value)
      reject('conflict', `${part}.${key} is set by the environment and cannot be changed here`, 'SET_BY_ENVIRONMENT')
  return Object.fromEntries(named.filter(([key]) => !isGiven(key))) as Partial<Values>
}

function rejectInvalid(message: string): never {
  return reject('invalid', message, 'INVALID_INPUT')
}
