import type { Break } from './breaks.ts'

const CODEC = 'src/kernel/events/codec.ts'

const golden = 'test/house/golden.test.ts'
const upcasting = 'test/house/upcasting.test.ts'

/** What former versions wrote is understood for ever. */
export const goldenBreaks: readonly Break[] = [
  {
    promise: 'golden logs: a shape does not change while its version stays',
    file: 'src/licensing/plans/events.ts',
    find: 'trialDays: days,',
    replace: 'trialDays: days.optional(),',
    test: golden,
    named: 'without raising its version',
  },
  {
    promise: 'golden logs: a field that was stored once stays understood',
    file: 'src/kernel/auth/session-events.ts',
    find: "['WRONG_PASSWORD', 'WRONG_CODE', 'CODE_MISSING']",
    replace: "['WRONG_CODE', 'CODE_MISSING']",
    test: golden,
    named: 'every event is understood',
  },
  {
    promise: 'golden logs: every event type has an example',
    file: 'src/licensing/licenses/events.ts',
    find: "stream('licenseReads', [LicenseKeyRead, LicenseLeasedOffline])",
    replace:
      "stream('licenseReads', [LicenseKeyRead, LicenseLeasedOffline, event('LicenseLost', 'licenseId', { licenseId: z.uuid() }, () => '')])",
    test: golden,
    named: 'stands in the newest log',
  },
  {
    promise: 'golden logs: a raised version asks for a new log',
    file: 'src/licensing/provisioning/events.ts',
    find: 'got license ${licenseId}`,\n)',
    replace: 'got license ${licenseId}`,\n  { upcasters: [(data) => data] },\n)',
    test: golden,
    named: 'the present version of every event type',
  },
  {
    promise: 'golden logs: rules decide on the same states',
    file: 'src/kernel/auth/session-rules.ts',
    find: 'previousHash: session.refreshHash',
    replace: 'previousHash: refreshHash',
    test: golden,
    named: 'every decider comes to the same states',
  },
  {
    promise: 'golden logs: the audit trail says the same of the same events',
    file: 'src/licensing/plans/events.ts',
    find: '`created plan ${planId} (${slug})`',
    replace: '`made plan ${planId} (${slug})`',
    test: golden,
    named: 'auditTrail comes to the same rows',
  },
  {
    promise: 'golden logs: sealed fields of former versions still open',
    file: 'src/kernel/vault/vault.ts',
    find: 'return JSON.stringify([type, field, subject])',
    replace: 'return JSON.stringify([field, type, subject])',
    test: golden,
    named: 'every event is understood',
  },
  {
    promise: 'golden logs: a released one is not written again',
    file: 'test/support/golden-log.ts',
    find: '?.[1] === version))',
    replace: '?.[1] === `v${version}`))',
    test: golden,
    named: 'is not written again',
  },
  {
    promise: 'golden logs: a chapter draws the same whatever others do',
    file: 'scripts/golden/fixed-world.ts',
    find: "label === '' ? `${chapter}/${module}` : label",
    replace: "label === '' ? module : label",
    test: golden,
    named: 'depends on no other chapter',
  },
  {
    promise: 'golden logs: no shape of the panel changes either while its version stays',
    file: 'src/panel/quotas/records.ts',
    find: "z.literal('defaults')",
    replace: "z.literal(['defaults', 'others'])",
    test: golden,
    named: 'without raising its version',
  },
  {
    promise: 'golden logs: what the panel’s log comes to is looked at',
    file: 'projections/panel/teams.ts',
    find: 'TeamDeleted: (table, { teamId }) => table.remove({ teamId }),',
    replace: 'TeamDeleted: () => undefined,',
    test: golden,
    named: 'teamMembers comes to the same rows',
  },
  {
    promise: 'upcasting: nobody sees an old shape',
    file: CODEC,
    find: 'upcast(type, recorded.data, recorded.schemaVersion)',
    replace: 'recorded.data',
    test: upcasting,
  },
  {
    promise: 'upcasting: events say in which version they were written',
    file: CODEC,
    find: 'schemaVersion: type.schemaVersion, data',
    replace: 'schemaVersion: 1, data',
    test: upcasting,
  },
]
