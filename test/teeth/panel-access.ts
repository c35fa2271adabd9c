import type { Break } from './breaks.ts'

const test = 'test/panel/access/access.test.ts'

/** Breaks that the access matrix of the panel must notice. */
export const panelAccessBreaks: readonly Break[] = [
  {
    promise: 'a route of the panel asks what its contract has it ask',
    file: 'src/panel/teams/routes.ts',
    find: 'view: inTeam,\n',
    replace: 'view: session,\n',
    test,
    named: 'non-member',
  },
  {
    promise: 'a route for sessions opens to no key',
    file: 'src/panel/notifications/routes.ts',
    find: 'access: session,\n    item: Notification,',
    replace: "access: { kinds: ['user', 'key'], scope: 'platform:projects:view' },\n    item: Notification,",
    test,
    named: 'key with all scopes',
  },
  {
    promise: 'no permission stands for a SUPERADMIN',
    file: 'src/panel/access/access.ts',
    find: "rule: ofRole('SUPERADMIN') }",
    replace: "rule: ofRole('ADMIN', 'SUPERADMIN') }",
    test,
    named: 'ADMIN with the permission',
  },
  {
    promise: 'a permission opens its own routes alone',
    file: 'src/panel/overview/routes.ts',
    find: "access: platform('system:view')",
    replace: "access: platform('settings:view')",
    test,
    named: 'ADMIN with every other permission',
  },
  {
    promise: 'a session ends when its time is over',
    file: 'src/panel/access/user-caller.ts',
    find: "    .where('expiresAt', '>', now.toISOString())\n",
    replace: '',
    test,
    named: 'a session that ran out',
  },
  {
    promise: 'not even its code tells a refused key from another',
    file: 'src/panel/access/key-caller.ts',
    find: '  if (!key || !isUsable(key, ip, now))',
    replace:
      "  if (key && !ipAllowed(key.allowedIps, ip)) return reject('unauthenticated', 'Invalid or expired API key', 'API_KEY_ELSEWHERE')\n" +
      '  if (!key || !isUsable(key, ip, now))',
    test,
    named: 'key from a wrong address',
  },
  {
    promise: 'nothing changes without being recorded',
    file: 'src/panel/notifications/routes.ts',
    find: '      await run((unit) => unit.decide(notifications, userId, command, { userId, notificationId }))\n',
    replace: '',
    test,
    named: 'SUPERADMIN',
  },
  {
    promise: 'what is somebody else’s is like what there is not',
    file: 'src/panel/api-keys/routes.ts',
    find: 'handle: (call) => deleteKey(call, own),',
    replace: 'handle: (call) => deleteKey(call, anyOwner),',
    test,
    named: 'non-member',
  },
]
