import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { reject } from '#kernel/lib/rejection'
import type { ActingUser } from '../users/decider.ts'
import { configEvents } from './events.ts'

export type MailConfig = Omit<DataOf<typeof configEvents.ConfigMailChanged>, 'configId'>
export type UrlConfig = Omit<DataOf<typeof configEvents.ConfigUrlsChanged>, 'configId'>
export type RetentionConfig = Omit<DataOf<typeof configEvents.ConfigRetentionChanged>, 'configId'>

export interface Config {
  readonly mail: MailConfig
  readonly urls: UrlConfig
  readonly retention: RetentionConfig
}

/** Replaces the password in replies. In a request it means: keep the stored password. */
export const PASSWORD_MASK = '********'

type Changes<Values> = { readonly [Key in keyof Values]?: Values[Key] | undefined }

interface ConfigChange<Values> {
  readonly by: ActingUser
  readonly changes: Changes<Values>
  /** Values of the environment, which cannot be changed here. */
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
    /** @param ask.hasSender whether a default sender exists if none is configured */
    ChangeMail: ({ mail }, { by, changes, given, hasSender }: ConfigChange<MailConfig> & { hasSender: boolean }) => {
      const { password, ...others } = openChanges('mail', changes, given)
      const isKept = password === PASSWORD_MASK
      if (isKept && mail.password === null) rejectInvalid('mail.password: no password is stored yet, send the real one')
      const decided = { ...mail, ...others, ...(isKept || password === undefined ? {} : { password }) }
      const next = decided.host === null ? { ...NO_MAIL, from: decided.from } : decided
      const isNew = password !== undefined && !isKept
      if (next.password !== null && !isNew && isOtherServer(mail, next))
        rejectInvalid('mail.password: send the password again when you change the host, the port or TLS')
      if ((next.user === null) !== (next.password === null))
        rejectInvalid('mail.user and mail.password: set both or neither')
      if (next.password !== null && next.tls === 'OPTIONAL')
        rejectInvalid('mail.tls: a password needs TLS or STARTTLS, not OPTIONAL')
      if (next.port !== null && !isMailPort(next.port))
        rejectInvalid('mail.port: must be 25, 465, 587, or 1024 to 65535')
      if (next.host !== null && next.from === null && !hasSender)
        rejectInvalid('mail.from: must be set together with mail.host')
      rejectUnlessSuperadmin(by, mail, next)
      return [configEvents.ConfigMailChanged({ configId: 'mail', ...next })]
    },
    ChangeUrls: ({ urls }, { by, changes, given }: ConfigChange<UrlConfig>) => {
      const next = { ...urls, ...openChanges('urls', changes, given) }
      rejectUnlessSuperadmin(by, urls, next)
      return [configEvents.ConfigUrlsChanged({ configId: 'urls', ...next })]
    },
    ChangeRetention: ({ retention }, { changes }: Pick<ConfigChange<RetentionConfig>, 'changes'>) => [
      configEvents.ConfigRetentionChanged({
        configId: 'retention',
        ...retention,
        ...openChanges('retention', changes, {}),
      }),
    ],
    NoteMailTest: (_all, test: Omit<DataOf<typeof configEvents.ConfigMailTested>, 'configId'>) => [
      configEvents.ConfigMailTested({ configId: 'mail', ...test }),
    ],
  },
})

/** Ports of mail servers, and unprivileged ports (1024 and above), which no system service uses. */
const isMailPort = (port: number): boolean => [25, 465, 587].includes(port) || port >= 1_024

/** A new server, port or TLS mode could reveal the stored password to an administrator, who must not see it. */
const isOtherServer = (before: MailConfig, after: MailConfig): boolean =>
  before.host !== after.host || before.port !== after.port || before.tls !== after.tls

/**
 * All mailed links pass this mail server and lead to this URL, including those for a SUPERADMIN. An
 * ADMIN that set either could take over any account.
 * @throws Rejection 403 HIERARCHY
 */
function rejectUnlessSuperadmin<Values extends object>(by: ActingUser, before: Values, after: Values): void {
  const keys = Object.keys(after) as (keyof Values)[]
  if (by.role !== 'SUPERADMIN' && keys.some((key) => after[key] !== before[key]))
    reject('forbidden', 'Only a SUPERADMIN can change the mail server and the URL that links lead to', 'HIERARCHY')
}

/**
 * The changes that remain after dropping values that equal the environment's.
 * @throws Rejection 409 for a value that differs from the environment's
 */
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
