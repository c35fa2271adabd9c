import type { Break } from './breaks.ts'

const test = 'test/panel/config/config.test.ts'
const mail = 'test/panel/config/mail.test.ts'
const retention = 'test/panel/config/retention.test.ts'
const RULES = 'src/panel/config/decider.ts'
const IN_FORCE = 'src/panel/config/effective-config.ts'

/** What administrators configure, and what the environment keeps for itself. */
export const panelConfigBreaks: readonly Break[] = [
  {
    promise: 'the password of the mail server is sealed',
    file: 'src/panel/config/events.ts',
    find: 'password: sealed(z.string().nullable()),',
    replace: 'password: z.string().nullable(),',
    test,
    named: 'what is secret is shown to nobody',
  },
  {
    promise: 'the password of the mail server is masked',
    file: IN_FORCE,
    find: 'auth ? PASSWORD_MASK : null',
    replace: 'auth ? auth.pass : null',
    test,
    named: 'what is secret is shown to nobody',
  },
  {
    promise: 'a mask that is sent back leaves the password',
    file: RULES,
    find: 'const isKept = password === PASSWORD_MASK',
    replace: 'const isKept = password === undefined',
    test,
    named: 'what is sent back as it was shown',
  },
  {
    promise: 'a password goes to no server that it was not given for',
    file: RULES,
    find: '  before.host !== after.host ||',
    replace: ' ',
    test,
    named: 'a password goes to no other server',
  },
  {
    promise: 'by which server mails go a SUPERADMIN decides alone, or others would come into his account',
    file: RULES,
    find: '      rejectUnlessSuperadmin(by, mail, next)\n',
    replace: '',
    test,
    named: 'a SUPERADMIN decides alone',
  },
  {
    promise: 'where links lead a SUPERADMIN decides alone, or others would come into his account',
    file: RULES,
    find: '      rejectUnlessSuperadmin(by, urls, next)\n',
    replace: '',
    test,
    named: 'a SUPERADMIN decides alone',
  },
  {
    promise: 'what the environment says is changed by nobody',
    file: RULES,
    find: 'if (isGiven(key) && given[key] !== value)',
    replace: 'if (isGiven(key) && given[key] === undefined)',
    test,
    named: 'what the environment says is shown as its own',
  },
  {
    promise: 'what the environment says wins',
    file: IN_FORCE,
    find: 'smtp: smtp ?? adminServer(mail, mailAllow)',
    replace: 'smtp: adminServer(mail, mailAllow)',
    test,
    named: 'what the environment says is shown as its own',
  },
  {
    promise: 'mail settings are asked for when a mail is to be sent',
    file: 'src/composition/panel.ts',
    find: 'provide(mailSettings, configuredMailing(configured)),',
    replace: 'provide(mailSettings, async () => settings.mail),',
    test: mail,
    named: 'a link is shown until there is a mail server',
  },
  {
    promise: 'a server that an administrator sets lies outside the operator’s network',
    file: IN_FORCE,
    find: ', outboundPolicy: { allow } }',
    replace: ' }',
    test: mail,
    named: 'a server in the operator’s own network',
  },
  {
    promise: 'a test of the mail settings is recorded',
    file: 'src/panel/config/routes.ts',
    find: "await run((unit) => unit.decide(config, undefined, 'NoteMailTest', { sent, step }))",
    replace: '',
    test: mail,
    named: 'a test goes to the address of whoever asks',
  },
  {
    promise: 'tests of the mail settings are counted',
    file: 'src/panel/config/routes.ts',
    find: 'await enforceLimit(call, MAIL_TESTS, userCallerOf(caller).userId)',
    replace: '',
    test: mail,
    named: 'is asked for ten times an hour',
  },
  {
    promise: 'notifications are kept as long as is configured',
    file: 'src/panel/notifications/reactions.ts',
    find: 'now.getTime() - notificationDays * DAY_MS',
    replace: 'now.getTime() - 90 * notificationDays * DAY_MS',
    test: retention,
    named: 'a notification goes when its time is over',
  },
  {
    promise: 'a notification goes no sooner than its time is over',
    file: 'src/panel/notifications/decider.ts',
    find: 'addedMs < before.getTime()',
    replace: 'addedMs > 0',
    test: retention,
    named: 'a notification goes when its time is over',
  },
  {
    promise: 'from where somebody came is kept as long as is configured',
    file: 'src/panel/config/reactions.ts',
    find: 'telemetryDays * DAY_MS',
    replace: '90 * telemetryDays * DAY_MS',
    test: retention,
    named: 'from where a key was used',
  },
]
