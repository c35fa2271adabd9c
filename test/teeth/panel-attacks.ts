import type { Break } from './breaks.ts'

const alike = 'test/panel/auth/alike.test.ts'
const attacks = 'test/panel/auth/attacks.test.ts'
const cookies = 'test/panel/auth/cookies.test.ts'
const endings = 'test/panel/auth/endings.test.ts'
const thief = 'test/panel/access/session-thief.test.ts'
const keys = 'test/panel/api-keys/attacks.test.ts'
const updates = 'test/panel/service/updates-attacks.test.ts'
const COOKIES = 'src/kernel/auth/cookies.ts'
const SIGNING_IN = 'src/kernel/auth/sign-in.ts'

/** What strangers try at the panel, by the rows of test/support/attack-rows.ts. */
export const panelAttackBreaks: readonly Break[] = [
  {
    promise: 'panel: spellings of an address share one counter',
    file: SIGNING_IN,
    find: "vault.hmac('pepper', normalisedEmail(email))",
    replace: "vault.hmac('pepper', email)",
    test: attacks,
    named: 'spellings of one address',
  },
  {
    promise: 'panel: parallel guesses at a password are counted before they are looked at',
    file: 'src/kernel/credentials/attempt-counter.ts',
    find: 'AND (a.consecutive < $5',
    replace: 'AND (true OR a.consecutive < $5',
    test: attacks,
    named: '200 guesses',
  },
  {
    promise: 'panel: codes are counted before they are verified',
    file: 'src/kernel/auth/verify-credentials.ts',
    find: 'const step = reserved.allowed ? verifyTotp(',
    replace: 'const step = reserved ? verifyTotp(',
    test: attacks,
    named: '5 wrong codes block',
  },
  {
    promise: 'panel: a backup code is used once',
    file: 'src/kernel/auth/verify-credentials.ts',
    find: '  return { backupCode }',
    replace: '  return { step: Date.now() + Math.random() }',
    test: attacks,
    named: 'raced by 100 > a backup code',
  },
  {
    promise: 'panel: every refused sign-in is the same answer',
    file: SIGNING_IN,
    find: "  if (member && isLookedAt) await recordFailedSignIn(realm, call, member, 'WRONG_PASSWORD')\n",
    replace:
      "  if (member && !isLookedAt) throw new Rejection('unauthenticated', 'Wait', 'INVALID_CREDENTIALS')\n" +
      "  if (member && isLookedAt) await recordFailedSignIn(realm, call, member, 'WRONG_PASSWORD')\n",
    test: attacks,
    named: 'every refused sign-in is the same answer to the byte',
  },
  {
    promise: 'panel: a link that leads nowhere does not say why',
    file: 'src/panel/access/one-time-links.ts',
    find: '  return userByLink(holder, linkHash, purposes, call.now)\n',
    replace: '  return userByLink(holder ?? invalidSession(), linkHash, purposes, call.now)\n',
    test: alike,
    named: 'every link that leads nowhere',
  },
  {
    promise: 'panel: a wrong password and a wrong code are refused alike',
    file: 'src/kernel/auth/verify-credentials.ts',
    find: "if (seen === 'wrong' || seen === 'unseen') return invalidCredentials()",
    replace: "if (seen === 'wrong' || seen === 'unseen') return invalidSession()",
    test: alike,
    named: 'every code that is wrong',
  },
  {
    promise: 'panel: the refresh cookie is for no script',
    file: COOKIES,
    find: '; HttpOnly; SameSite=Strict${secure}',
    replace: '; SameSite=Strict${secure}',
    test: cookies,
    named: 'both cookies are for no script',
  },
  {
    promise: 'panel: under https the cookies are sent over nothing else',
    file: COOKIES,
    find: "const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:')",
    replace: "const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('HTTPS:')",
    test: cookies,
    named: 'under an address with https',
  },
  {
    promise: 'panel: an origin that begins like our own is another',
    file: COOKIES,
    find: "if (own.includes(header('origin') ?? '')) return",
    replace: "if (own.some((each) => header('origin')?.startsWith(each))) return",
    test: cookies,
    named: 'from a longer origin it is refused',
  },
  {
    promise: 'panel: nobody is signed in by what was planted on him',
    file: SIGNING_IN,
    find: "  const refreshToken = newSecret('r')\n",
    replace: "  const refreshToken = call.cookie(realm.cookies.refresh) ?? newSecret('r')\n",
    test: cookies,
    named: 'a session and tokens of his own',
  },
  {
    promise: 'panel: a second factor ends what was signed in without it',
    file: 'src/kernel/auth/manage-credentials.ts',
    find: "    await realm.decide.enableTotp(unit, held, { ...proof, secret, step, backupCodes })\n    await realm.decide.endOthers(unit, held, 'TOTP_CHANGED')\n",
    replace: '    await realm.decide.enableTotp(unit, sessionIdentityOf, { ...proof, secret, step, backupCodes })\n',
    test: endings,
    named: 'somebody who gets a second factor',
  },
  {
    promise: 'panel: a stolen session enrols no second factor without the password',
    file: 'src/kernel/auth/verify-credentials.ts',
    find: "return isRight ? { right: { verified: member.passwordHash } } : 'wrong'",
    replace: 'return { right: { verified: member.passwordHash } }',
    test: thief,
    named: 'no sequence of calls',
  },
  {
    promise: 'panel: the owner is told of a second factor',
    file: 'src/panel/auth/reactions.ts',
    find: '    UserTotpEnabled,\n    UserTotpDisabled,\n    UserTotpReset,\n    UserLoginFailed,',
    replace: '    UserTotpDisabled,\n    UserTotpReset,\n    UserLoginFailed,',
    test: thief,
    named: 'enrolling is told',
  },
  {
    promise: 'panel: a new password by a link ends what was signed in with the old one',
    file: 'src/panel/access/one-time-links.ts',
    find: "      await endUserSessions(unit, userId, 'PASSWORD_RESET')\n",
    replace: '',
    test: endings,
    named: 'somebody who chooses a new password by a link',
  },
  {
    promise: 'panel: garbage asks no database',
    file: 'src/panel/access/key-caller.ts',
    find: "isSecret(secret, 'k') ? await findKeyWithOwner(",
    replace: "isSecret(secret, 'k') || true ? await findKeyWithOwner(",
    test: keys,
    named: 'garbage > asks no database',
  },
  {
    promise: 'panel: guesses at keys are limited as is configured',
    file: 'src/composition/service.ts',
    find: 'limits: { failuresPerMinute: settings.authFailuresPerMinute },',
    replace: '',
    test: keys,
    named: 'are limited by the /64',
  },
  {
    promise: 'panel: of X-Forwarded-For the address counts that the proxy saw',
    file: 'src/kernel/credentials/source-address.ts',
    find: '.slice(-trusted.hops)',
    replace: '.slice(0, trusted.hops)',
    test: keys,
    named: 'is refused from the right one, written by the caller',
  },
  {
    promise: 'panel: what a project may not be called it may not be renamed to',
    file: 'src/panel/projects/routes.ts',
    find: 'z.strictObject({ name, description }).partial()',
    replace: 'z.strictObject({ name: z.string(), description }).partial()',
    test: updates,
    named: 'a project',
  },
  {
    promise: 'what a package may be is one version',
    file: 'bench/package.json',
    find: '"pg": "8.23.1"',
    replace: '"pg": "^8.23.1"',
    test: 'test/house/supply-chain.test.ts',
    named: 'is the version that is declared',
  },
  {
    promise: 'panel: one address asks for thirty links an hour',
    file: 'src/kernel/auth/caller-limits.ts',
    find: "name: 'link-asker', windowMax: 30,",
    replace: "name: 'link-asker', windowMax: 31,",
    test: 'test/panel/auth/links.test.ts',
    named: 'is refused to an address block',
  },
  {
    promise: 'panel: what shared variables hold is sealed',
    file: 'src/panel/projects/environments/events.ts',
    find: 'value: sealed(z.string())',
    replace: 'value: z.string()',
    test: 'test/panel/service/canary.test.ts',
    named: 'stands in clear nowhere',
  },
  {
    promise: 'panel: a guess at a password counts for the address, wherever it is asked for',
    file: 'src/kernel/auth/verify-credentials.ts',
    find: 'const { allowed } = await attempts.reserve(...tries)',
    replace: 'const allowed = attempts.length > 0',
    test: 'test/panel/auth/guesses.test.ts',
    named: 'POST /api/auth/change-password counts a guess',
  },
  {
    promise: 'who is signed in is not held up by failures of others behind the same address',
    file: 'src/kernel/auth/verify-credentials.ts',
    find: 'const { attempts: tries, queueShare } = deviceOrigin(member.id, realm.sessionIdentityOf(call.caller).sessionId)',
    replace: 'const { attempts: tries, queueShare } = await addressOrigin(call as never)',
    test: attacks,
    named: 'who is signed in proves the password',
  },
]
