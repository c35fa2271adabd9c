import type { Break } from './breaks.ts'

const RULES = 'src/panel/api-keys/decider.ts'
const EVENTS = 'src/panel/api-keys/events.ts'
const ROUTES = 'src/panel/api-keys/routes.ts'
const KEYS = 'src/panel/keys.ts'
const CALLER = 'src/panel/identity/key-caller.ts'
const TABLE = 'projections/panel/api-keys.ts'

const rules = 'test/panel/api-keys-rules.test.ts'
const http = 'test/panel/api-keys.test.ts'
const storm = 'test/panel/api-keys-storm.test.ts'
const projects = 'test/panel/api-keys-projects.test.ts'
const access = 'test/panel/access.test.ts'

/** API keys of the panel, and what they open. */
export const panelApiKeyBreaks: readonly Break[] = [
  {
    promise: 'scopes that no route asks for are dropped',
    file: RULES,
    find: 'known.filter((scope) => asked.includes(scope))',
    replace: '[...asked]',
    test: rules,
    named: 'keeps the scopes that there are',
  },
  {
    promise: 'a key of which no scope is left is refused',
    file: RULES,
    find: 'return scopes.length > 0 ?',
    replace: 'return scopes.length >= 0 ?',
    test: http,
    named: 'refuses no scope that there is',
  },
  {
    promise: 'no project is not every project',
    file: ROUTES,
    find: '.min(1).max(PROJECTS_MAX)',
    replace: '.max(PROJECTS_MAX)',
    test: http,
    named: 'refuses no project',
  },
  {
    promise: 'a key is restricted to no project that its owner does not see',
    file: KEYS,
    find: 'if (rights.length === 0)',
    replace: 'if (false)',
    test: http,
    named: 'answers projects that the owner does not see like unknown ones',
  },
  {
    promise: 'the projects of a key for another are those that he sees',
    file: KEYS,
    find: 'const rights = await rightsIn(read, principal, projectId)',
    replace: 'const rights = await rightsIn(read, caller ?? principal, projectId)',
    test: http,
    named: 'projectIds are judged by what the owner sees',
  },
  {
    promise: 'only a SUPERADMIN mints for others and for nobody',
    file: RULES,
    find: "if (isForOther && by.role !== 'SUPERADMIN')",
    replace: "if (isForOther && by.role === 'USER')",
    test: http,
    named: 'are not for a ADMIN',
  },
  {
    promise: 'a MACHINE key has no owner',
    file: ROUTES,
    find: "kind === 'PERSONAL' || ownerId === undefined",
    replace: "kind === 'PERSONAL' || true",
    test: http,
    named: 'refuses an owner of a MACHINE key',
  },
  {
    promise: 'an expiry is less than 365 days ahead',
    file: RULES,
    find: 'if (ms >= EXPIRY_DAYS_BELOW * DAY_MS)',
    replace: 'if (ms > EXPIRY_DAYS_BELOW * DAY_MS)',
    test: rules,
    named: 'an expiry 31536000000 ms ahead',
  },
  {
    promise: 'the 51st active key is refused',
    file: RULES,
    find: 'isActive(key, at)).length < ACTIVE_KEYS_MAX',
    replace: 'isActive(key, at)).length <= ACTIVE_KEYS_MAX',
    test: rules,
    named: 'a mint is refused exactly when 50 are active',
  },
  {
    promise: 'the cap is exact under races',
    file: KEYS,
    find: "await unit.decide(apiKeys, ownerId ?? MACHINE, 'MintKey', ask)",
    replace:
      'apiKeys.commands.MintKey(await unit.look(apiKeys, ownerId ?? MACHINE), ask, { at: unit.at, actor: caller.actor })\n  for (const event of events) unit.record(apiKeys.stream, ownerId ?? MACHINE, event)',
    test: storm,
    named: '1,000 concurrent mints of one account',
  },
  {
    promise: 'the MACHINE keys of all minters count together',
    file: RULES,
    find: 'if (keys.filter((key) => isActive(key, at)).length',
    replace: 'if (ownerId === null || keys.filter((key) => isActive(key, at)).length',
    test: storm,
    named: 'MACHINE keys of many minters count together',
  },
  {
    promise: 'revoked keys do not count',
    file: RULES,
    find: '!isRevoked && (expiresAt === null',
    replace: '(isRevoked || true) && (expiresAt === null',
    test: rules,
    named: 'revoked, deleted and expired ones do not count',
  },
  {
    promise: 'a revoked key stops on the very next request',
    file: CALLER,
    find: 'key.revokedAt === null &&',
    replace: '',
    test: http,
    named: 'a revoked key stays in the list and stops on the very next request',
  },
  {
    promise: 'a deleted key stops on the very next request',
    file: CALLER,
    find: 'key.deletedAt === null &&',
    replace: '',
    test: http,
    named: 'a deleted key is in no list any more; the audit log keeps it',
  },
  {
    promise: 'a revocation is answered when it holds',
    file: EVENTS,
    find: '(revoked) => `revoked ${called(revoked)}`, {\n  strict: true,\n})',
    replace: '(revoked) => `revoked ${called(revoked)}`)',
    test: rules,
    named: 'are answered when they hold',
  },
  {
    promise: 'an expired key is refused',
    file: CALLER,
    find: 'Date.parse(key.expiresAt) > now.getTime()',
    replace: 'Date.parse(key.expiresAt) >= now.getTime() - 3_600_000',
    test: access,
    named: 'expired key',
  },
  {
    promise: 'a key is refused from elsewhere',
    file: CALLER,
    find: '  ipAllowed(key.allowedIps, ip)',
    replace: '  (ip === undefined || ipAllowed(key.allowedIps, ip))',
    test: http,
    named: 'from nobody knows where',
  },
  {
    promise: 'the keys of somebody suspended stop at once',
    file: CALLER,
    find: "(key.ownerId === null || key.status === 'ACTIVE')",
    replace: '(key.ownerId === null || key.status !== null)',
    test: http,
    named: 'of somebody suspended',
  },
  {
    promise: 'refusals of keys cannot be told apart',
    file: CALLER,
    find: '  if (!key || !isUsable(key, ip, now))',
    replace:
      "  if (key && !ipAllowed(key.allowedIps, ip)) return reject('unauthenticated', 'Not from here', 'API_KEY_INVALID')\n" +
      '  if (!key || !isUsable(key, ip, now))',
    test: http,
    named: 'from elsewhere',
  },
  {
    promise: 'no scope opens what is for sessions',
    file: 'src/kernel/http/gate.ts',
    find: 'kinds.includes(caller.kind) && (caller.scopes === undefined || scope !== undefined)',
    replace: 'kinds.includes(caller.kind) || caller.scopes !== undefined',
    test: access,
    named: 'key with all scopes',
  },
  {
    promise: 'a scope opens its own routes alone',
    file: 'src/kernel/http/gate.ts',
    find: 'if (scope !== undefined && caller.scopes?.has(scope) === false)',
    replace: 'if (scope !== undefined && caller.scopes?.size === 0)',
    test: access,
    named: 'key with every other scope',
  },
  {
    promise: 'a restricted key sees no other project',
    file: CALLER,
    find: 'projectIds: projectIds ?? undefined,',
    replace: 'projectIds: projectIds && undefined,',
    test: access,
    named: 'key of a wrong project',
  },
  {
    promise: 'a key reaches as far as its owner, not as its scopes are called',
    file: CALLER,
    find: 'can: (permission) => held.has(permission),',
    replace: 'can: (permission) => held.has(permission) || scopes.includes(`platform:${permission}`),',
    test: projects,
    named: 'scopes are no permissions',
  },
  {
    promise: 'nobody touches a key of somebody else by his own routes',
    file: ROUTES,
    find: 'handle: (call) => revoked(call, userOf(call.caller).userId),',
    replace: 'handle: (call) => revoked(call),',
    test: http,
    named: 'a key of somebody else is like an unknown one, and stays',
  },
  {
    promise: 'an erasure revokes the keys of the account',
    file: 'src/panel/erasing.ts',
    find: '    await revokeKeysOf(unit, userId)\n',
    replace: '',
    test: http,
    named: 'erasing an account revokes its keys',
  },
  {
    promise: 'an erasure destroys the key of the addresses that API keys came from',
    file: 'src/panel/erasing.ts',
    find: '...(await apiKeySubjects(read, userId))',
    replace: '...((await apiKeySubjects(read, userId)) && [])',
    test: http,
    named: 'erasing an account revokes its keys',
  },
  {
    promise: 'only accepted calls count as a use',
    file: CALLER,
    find: '  return { ...reachOf(key), admitted',
    replace: '  parts.uses?.keys.note(key.id, now, ip)\n  return { ...reachOf(key), admitted',
    test: http,
    named: 'only accepted calls count as a use',
  },
  {
    promise: 'no list shows a secret or what is deleted',
    file: TABLE,
    find: "    .where('deletedAt', 'is', null)\n",
    replace: '',
    test: http,
    named: 'a deleted key is in no list any more; the audit log keeps it',
  },
  {
    promise: 'the name of a key is sealed for its owner',
    file: EVENTS,
    find: 'name: sealed(z.string()),',
    replace: 'name: z.string(),',
    test: http,
    named: 'the secret is in no table, log line or answer',
  },
]
