import type { Break } from './breaks.ts'

const access = 'test/panel/access/access.test.ts'
const auth = 'test/panel/auth/auth.test.ts'
const first = 'test/panel/auth/first.test.ts'
const links = 'test/panel/auth/links.test.ts'
const sse = 'test/panel/auth/sse.test.ts'
const attacks = 'test/panel/auth/attacks.test.ts'

/** The way into the panel. */
export const panelAuthBreaks: readonly Break[] = [
  {
    promise: 'a route of the panel asks for the permission that the contract names',
    file: 'src/panel/audit-logs/routes.ts',
    find: "access: platform('audit:view'),\n    reply: z.array(z.string()),",
    replace: "access: { kinds: ['user'] },\n    reply: z.array(z.string()),",
    test: access,
    named: 'ADMIN with every other permission',
  },
  {
    promise: 'whoever was suspended is let in nowhere',
    file: 'src/panel/access/user-caller.ts',
    find: "    .where('account.status', '=', 'ACTIVE')\n",
    replace: '',
    test: access,
    named: 'suspended',
  },
  {
    promise: 'whoever registers before the owner of an address has no password in the account that its owner proves',
    file: 'src/panel/users/decider.ts',
    find: '({ ...user!, passwordHash: undefined, links: [] })',
    replace: 'user',
    test: links,
    named: 'no password counts but the one that is chosen',
  },
  {
    promise: 'nor has he when he has filled the mailbox of its owner first',
    file: 'src/panel/access/register.ts',
    find: 'if (user.passwordHash !== undefined) await unit.decide',
    replace: 'if (user.passwordHash !== undefined && user.links.length === 0) await unit.decide',
    test: links,
    named: 'before its owner does, and filling his mailbox',
  },
  {
    promise: 'the first account needs the setup token',
    file: 'src/panel/access/register.ts',
    find: '  if (!(await isSetupToken(call.vault, setupToken)))\n',
    replace: "  if (setupToken === '')\n",
    test: first,
    named: 'without the token, with another',
  },
  {
    promise: 'one account is the first',
    file: 'src/panel/users/decider.ts',
    find: "      if (!isRosterEmpty(roster)) reject('conflict', 'The first account already exists. Sign in instead.', 'SETUP_DONE')\n",
    replace: '',
    test: first,
    named: 'of 100 who are first at once, one is',
  },
  {
    promise: 'a cookie leaves the body of a refresh unread',
    file: 'src/kernel/auth/refresh.ts',
    find: 'if (sent === undefined || sendsRefreshCookie(realm, call)) return refresh(realm, call)',
    replace: 'if (sent === undefined) return refresh(realm, call)',
    test: auth,
    named: 'leaves the body unread',
  },
  {
    promise: 'naming the current session keeps it and ends all others',
    file: 'src/panel/auth/decider.ts',
    find: 'id === by.sessionId\n',
    replace: "id === ''\n",
    test: auth,
    named: 'naming the current one keeps it',
  },
  {
    promise: 'registering does not tell who has an account',
    file: 'src/panel/access/register.ts',
    find: "        await unit.decide(userRoster, undefined, 'AskForRoom', await limitsOf(unit))\n",
    replace: '',
    test: links,
    named: 'at the limit of the license is refused',
  },
  {
    promise: 'a registration gives no password to an account that was invited',
    file: 'src/panel/access/register.ts',
    find: "userLinkId: unit.newId(), purpose: 'INVITE' })",
    replace: "userLinkId: unit.newId(), purpose: 'VERIFY' })",
    test: links,
    named: 'with the address of somebody who was invited',
  },
  {
    promise: 'a link is asked for by one event, whoever has an account',
    file: 'src/panel/access/one-time-links.ts',
    find: 'async (unit) => recordLinkRequest(unit, { purpose, emailKey, isMuted: false })',
    replace:
      "async (unit) => (await unit.holderOf('userEmail', emailKey)) === undefined || recordLinkRequest(unit, { purpose, emailKey, isMuted: false })",
    test: links,
    named: 'one answer and one event',
  },
  {
    promise: 'a link of a suspended account leads nowhere',
    file: 'src/panel/users/decider.ts',
    find: 'return isGood && canUseLinks(user) ? user : rejectInvalidLink()',
    replace: 'return isGood ? user : rejectInvalidLink()',
    test: links,
    named: 'lets nobody back who was suspended',
  },
  {
    promise: 'proving an address takes a code of a second factor',
    file: 'src/panel/access/one-time-links.ts',
    find: 'const factor = await secondFactor(userRealm, call, known, { totp: call.body.totp })',
    replace: 'const factor = known.totp && { step: 999_999_999 + (call.body.totp ? 0 : 1) }',
    test: links,
    named: 'proving an address takes a code',
  },
  {
    promise: 'a stream token is good once',
    file: 'src/panel/auth/sse-token/decider.ts',
    find: 'SseTokenUsed: () => undefined',
    replace: 'SseTokenUsed: (made) => made',
    test: sse,
    named: 'a token lets its owner in, once',
  },
  {
    promise: 'a stream token is bound to its path',
    file: 'src/panel/auth/sse-token/decider.ts',
    find: 'made.path !== path ||',
    replace: '',
    test: sse,
    named: 'it is bound to its path',
  },
  {
    promise: 'a stream token ends with its session',
    file: 'src/panel/access/sse-caller.ts',
    find: 'const session = held && (await findLiveSession(read, held.userSessionId, now))',
    replace:
      "const session = held && { id: held.userSessionId, userId: held.userId, role: 'USER' as const, permissions: [], rolePermissions: null }",
    test: sse,
    named: 'it ends with its session',
  },
  {
    promise: 'guesses at links and setup tokens count for their address',
    file: 'src/kernel/auth/link-attempts.ts',
    find: 'const { allowed } = await attempts.reserveAll(...tries)',
    replace: 'const allowed = attempts === undefined',
    test: attacks,
    named: 'one address has 20 failures',
  },
  {
    promise: 'whose link was asked for is not to be found out by guessing',
    file: 'src/panel/auth/events.ts',
    find: 'emailKey: sealed(z.string()),',
    replace: 'emailKey: internal(z.string()),',
    test: links,
    named: 'leaves nothing of the address that could be guessed',
  },
  {
    promise: 'two days later nobody can read for whom a link was asked',
    file: 'src/panel/auth/reactions.ts',
    find: `return vault.erase(
    Array.from(`,
    replace: 'return Promise.resolve(Array.from(',
    test: links,
    named: 'leaves nothing of the address that could be guessed',
  },
  {
    promise: 'asking for a link takes none away',
    file: 'src/kernel/auth/one-time-links.ts',
    find: 'link.mailed ? alike.slice(-(MAILED_MAX - 1)) : []',
    replace: '[]',
    test: 'test/kernel/auth/links.test.ts',
    named: 'takes no link away before it ends',
  },
  {
    promise: 'a link that was shown is not taken away by one that is asked for',
    file: 'src/kernel/auth/one-time-links.ts',
    find: 'one.purpose === other.purpose && one.mailed === other.mailed',
    replace: 'one.purpose === other.purpose',
    test: 'test/panel/users/links.test.ts',
    named: 'is not taken away by strangers',
  },
]
