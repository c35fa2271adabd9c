import type { Break } from './breaks.ts'

const LIMITS = 'src/panel/license/limits.ts'
const KEEPING = 'src/panel/license/lifecycle.ts'
const OWN = 'src/panel/license/store.ts'
const SCRIPT = 'src/licensing/adapters/install-script.ts'
const states = 'test/panel/license/license.test.ts'
const grace = 'test/panel/license/grace.test.ts'
const starts = 'test/panel/license/start.test.ts'
const installs = 'test/licensing/provisioning/install-script.test.ts'

export const panelLicenseBreaks: readonly Break[] = [
  {
    promise: 'a revoked license allows no more than the free tier',
    file: LIMITS,
    find: " && state !== 'DEGRADED'",
    replace: '',
    test: states,
    named: 'revoked, degrades the panel',
  },
  {
    promise: 'grace ends by the time, also before anybody has looked',
    file: LIMITS,
    find: 'at.getTime() < Date.parse(graceUntil)',
    replace: 'at.getTime() > 0',
    test: states,
    named: 'is offline, then in grace, then degraded',
  },
  {
    promise: 'what nobody answered is not said to be ONLINE',
    file: KEEPING,
    find: 'return (await client.revalidate()).source',
    replace: "return (await client.revalidate(), 'ONLINE')",
    test: states,
    named: 'a captive portal changes nothing',
  },
  {
    promise: 'a license key that is not taken changes nothing',
    file: KEEPING,
    find: 'await turn.client.activate(licenseKey).catch(rejectActivation)',
    replace: 'await withLock.client.remove().then(() => withLock.client.activate(licenseKey)).catch(rejectActivation)',
    test: states,
    named: 'that the service does not take changes nothing',
  },
  {
    promise: 'what is remembered of a license is sealed',
    file: OWN,
    find: '[await vault.seal(JSON.stringify(memory), SEALED_AS)]',
    replace: '[JSON.stringify(memory) || (await vault.seal(JSON.stringify(memory), SEALED_AS))]',
    test: states,
    named: 'stands nowhere in clear',
  },
  {
    promise: 'the key of the environment counts once',
    file: 'src/panel/license/decider.ts',
    find: 'known === undefined ? [LicenseKeySet({',
    replace: '!known ? [LicenseKeySet({',
    test: starts,
    named: 'is activated in the background, and counts once',
  },
  {
    promise: 'a removal that a process did not survive is completed',
    file: KEEPING,
    find: '    if (!known) return forgetLicense(turn)\n',
    replace: '    if (!read) return\n',
    test: starts,
    named: 'a removal that was cut short',
  },
  {
    promise: 'one asks at a time',
    file: OWN,
    find: 'before.then(() => withAdvisoryLock(pool, { lock: LOCK, waitMsMax: patienceMs }, () => turn(work)))',
    replace: 'withLock(work)',
    test: starts,
    named: 'one is asked at a time',
  },
  {
    promise: 'a second run of the installer makes no other secrets',
    file: SCRIPT,
    find: '[ -f "$dir/database.env" ] || database_env',
    replace: 'database_env',
    test: installs,
    named: 'changes nothing the second time',
  },
  {
    promise: 'the installer hands the license key to no command',
    file: SCRIPT,
    find: '  unset DAYBOOK_LICENSE_KEY\n',
    replace: '',
    test: installs,
    named: 'changes nothing the second time',
  },
  {
    promise: 'an address is one word to a shell, whatever it holds',
    file: 'src/kernel/lib/shell-quote.ts',
    find: "`'${text.replaceAll(\"'\", `'\\\\''`)}'`",
    replace: "`'${text}'`",
    test: installs,
    named: 'it is one word',
  },
  {
    promise: 'who was let in again on the host is not held up by what was guessed before',
    file: 'src/panel/access/reset-second-factor.ts',
    find: `await liftLocks(pool, userRealm, { id, emailKey })`,
    replace: `await liftLocks(pool, userRealm, { id: email, emailKey })`,
    test: 'test/panel/access/reset-2fa.test.ts',
    named: 'count no more',
  },
  {
    promise: 'a second factor that was lost ends what was signed in with it',
    file: 'src/panel/access/reset-second-factor.ts',
    find: "    await endUserSessions(unit, userId, 'TOTP_CHANGED')\n",
    replace: '',
    test: 'test/panel/access/reset-2fa.test.ts',
    named: 'nobody goes on with what he had',
  },
  {
    promise: 'a heartbeat tells how many accounts there are',
    file: OWN,
    find: '...(parts.usage ? { usage: parts.usage } : {}),',
    replace: '',
    test: states,
    named: 'tell how many accounts there are',
  },
  {
    promise: 'of the end of the grace people are told once',
    file: 'src/panel/license/decider.ts',
    find: 'if (!due || isReminded(known!, due)) return []',
    replace: 'if (!due) return []',
    test: grace,
    named: 'once also where everything that follows is done again',
  },
  {
    promise: 'whoever comes late is told of the grace once, and not of all that he has missed',
    file: 'src/panel/license/decider.ts',
    find: 'const REMINDERS_DAYS = [1, 3, 7, 14]',
    replace: 'const REMINDERS_DAYS = [14, 7, 3, 1]',
    test: 'test/panel/license/rules.test.ts',
    named: 'whoever comes late is told once',
  },
  {
    promise: 'who holds license:view is mailed before the grace ends',
    file: 'src/panel/license/reactions.ts',
    find: 'await work.mail(mail, `mail-${userId}`)',
    replace: 'await work.mail(mail)',
    test: grace,
    named: 'is told to SUPERADMINs and who holds license:view',
  },
]
