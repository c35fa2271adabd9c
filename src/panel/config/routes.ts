import { z } from 'zod'
import { forgetIdleAttempts, enforceLimit } from '#kernel/auth/caller-limits'
import type { CallerLimit } from '#kernel/auth/caller-limits'
import { recordVersion } from '#kernel/http/record-version'
import { route } from '#kernel/http/route'
import { anyField } from '#kernel/lib/given-fields'
import { reject } from '#kernel/lib/rejection'
import { formatSender, isSender, parseSender } from '#kernel/mail/mail'
import { mailSettings } from '#kernel/mail/mail-settings'
import { sendTestMail } from '#kernel/mail/test-mail'
import { platform } from '../access/access.ts'
import { actingUser, runAsCaller } from '../access/accounts.ts'
import { userCallerOf } from '../access/user-caller.ts'
import { config } from './decider.ts'
import type { Config } from './decider.ts'
import {
  configuration,
  environmentMail,
  effectiveMail,
  effectivePanelUrl,
  effectiveRetention,
  maskedServer,
} from './effective-config.ts'
import type { EnvironmentConfig } from './effective-config.ts'
import { configMailFields, TLS_MODES } from './events.ts'

const DAYS_MAX = 3_650
const NO_MAIL = 'This panel cannot send mail: set a mail server first'
const MAIL_TESTS: CallerLimit = { name: 'mail-test', windowMax: 10, windowSeconds: 3_600 }

const isUrl = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text.replace(/\/$/, '')

const secret = z
  .string()
  .min(1)
  .max(500)
  .regex(/^\P{Cc}*$/u, 'must be a single line without control characters')
const sender = z
  .string()
  .max(400)
  .refine(isSender, 'must be a mail address, or a name followed by <address>')
  .transform((text) => formatSender(parseSender(text)))
  .describe('The sender of mails: an address, or a name followed by `<address>`. Null removes it.')
const host = z.string().regex(/^[A-Za-z0-9.:_-]{1,253}$/, 'must be a host name or an IP address')
const port = z.int().min(1).max(65_535)
const days = z.int().min(1).max(DAYS_MAX)
const url = z
  .string()
  .max(2_000)
  .refine(isUrl, 'must be an http(s) URL without path, query or credentials')
  .transform((text) => new URL(text).origin)
  .describe('An http(s) URL without path, query or credentials, under which people open this panel. Null removes it.')

const mailFields = { host, port, tls: z.enum(TLS_MODES), user: secret, password: secret, from: sender }
const retentionFields = { notificationDays: days, telemetryDays: days }
const source = z
  .enum(['ENVIRONMENT', 'ADMIN', 'USUAL'])
  .describe('ENVIRONMENT: set by the operator; it cannot be changed here.')

const ConfigReply = z
  .object({
    mail: z.object({
      ...configMailFields,
      host: configMailFields.host.describe('Null: no mail server is set.'),
      password: configMailFields.password.describe('Masked. Send the mask back to keep the stored password.'),
    }),
    urls: z.object({ panel: z.string().describe('The URL under which people open this panel; links lead there.') }),
    retention: z.object(retentionFields),
    sources: z.object({
      mail: z.object({ host: source, port: source, tls: source, user: source, password: source, from: source }),
      urls: z.object({ panel: source }),
      retention: z.object({ notificationDays: source, telemetryDays: source }),
    }),
  })
  .meta({ id: 'Config' })

/** A null value removes the administrators' value. */
function partly<Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape) {
  const open = Object.fromEntries(Object.entries(shape).map(([key, is]) => [key, is.nullable().optional()]))
  return z.strictObject(open as { [Key in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Key]>> }).optional()
}

const ConfigPatch = anyField(
  z.strictObject({ mail: partly(mailFields), urls: partly({ panel: url }), retention: partly(retentionFields) }),
  'Give at least one value to change',
).refine((parts) => Object.values(parts).some((part) => part && hasAny(part)), 'Give at least one value to change')

const MailTestReply = z.object({
  sent: z.boolean(),
  step: z
    .enum(['CONNECT', 'TLS', 'LOGIN', 'SENDER', 'RECIPIENT', 'MESSAGE'])
    .nullable()
    .describe('The step that failed.'),
  reason: z.string().nullable().describe('The reason in plain words, with the codes of the mail server.'),
})

const version = recordVersion(ConfigReply, async (unit, { service }) =>
  toConfigReply(service(configuration).environment, await unit.look(config)),
)

export const configRoutes = [
  route('GET /api/admin/config', {
    does: 'Get the effective configuration and the source of each value. The password is masked.',
    access: platform('settings:view'),
    version,
    reply: ConfigReply,
    async handle({ service, run }) {
      return toConfigReply(service(configuration).environment, await run((unit) => unit.look(config)))
    },
  }),

  route('PATCH /api/admin/config', {
    does: 'Change what the environment does not set. Only a SUPERADMIN changes the mail server and the panel URL.',
    access: platform('settings:manage'),
    version,
    body: ConfigPatch,
    reply: ConfigReply,
    handle: (call) =>
      runAsCaller(call, async (unit, by) => {
        const { mail, urls, retention } = call.body
        const { environment } = call.service(configuration)
        const hasSender = (environment.from ?? environment.defaults.from) !== undefined
        if (mail && hasAny(mail)) {
          const ask = { by, changes: mail, given: environmentMail(environment), hasSender }
          await unit.decide(config, undefined, 'ChangeMail', ask)
        }
        if (urls && hasAny(urls)) {
          const { panelUrl } = environment
          await unit.decide(config, undefined, 'ChangeUrls', { by, changes: urls, given: { panel: panelUrl } })
        }
        if (retention && hasAny(retention))
          await unit.decide(config, undefined, 'ChangeRetention', { changes: retention })
        return toConfigReply(environment, await unit.load(config))
      }),
  }),

  route('POST /api/admin/config/test-smtp', {
    does: 'Send a test mail to the caller’s own address and report the step that failed. At most ten an hour.',
    access: platform('settings:manage'),
    reply: MailTestReply,
    async handle(call) {
      const { run, service, caller } = call
      await enforceLimit(call, MAIL_TESTS, userCallerOf(caller).userId)
      await forgetIdleAttempts(call, MAIL_TESTS)
      const settings = (await service(mailSettings)()) ?? reject('conflict', NO_MAIL, 'MAIL_NOT_CONFIGURED')
      const { email: to } = await run((unit) => actingUser(unit, caller))
      const text = 'You asked this panel to test its mail settings. This mail shows that they work.\n'
      const tested = await sendTestMail(settings, { to, subject: 'The mail settings work', text })
      const { sent, step } = tested
      await run((unit) => unit.decide(config, undefined, 'NoteMailTest', { sent, step }))
      return tested
    },
  }),
]

function toConfigReply(environment: EnvironmentConfig, decided: Config): z.input<typeof ConfigReply> {
  const { smtp, from } = effectiveMail(environment, decided)
  const server = smtp ? maskedServer(smtp) : { host: null, port: null, tls: null, user: null, password: null }
  return {
    mail: { ...server, from: from ? formatSender(from) : null },
    urls: { panel: effectivePanelUrl(environment, decided) },
    retention: effectiveRetention(decided),
    sources: {
      mail: sources(decided.mail, environmentMail(environment)),
      urls: sources(decided.urls, { panel: environment.panelUrl }),
      retention: sources(decided.retention, {}),
    },
  }
}

const sources = <Values extends object>(decided: Values, given: { readonly [Key in keyof Values]?: unknown }) =>
  Object.fromEntries(
    Object.entries(decided).map(([key, value]) => [
      key,
      given[key as keyof Values] !== undefined ? 'ENVIRONMENT' : value === null ? 'USUAL' : 'ADMIN',
    ]),
  ) as Record<keyof Values, 'ENVIRONMENT' | 'ADMIN' | 'USUAL'>

const hasAny = (part: object): boolean => Object.values(part).some((value) => value !== undefined)
