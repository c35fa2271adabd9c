import type { Break } from './breaks.ts'

const RULES = 'src/licensing/signing-keys/decider.ts'
const SIGNING = 'src/licensing/signing-keys/signing-key.ts'
const rules = 'test/licensing/signing-keys/signing-keys.test.ts'
const http = 'test/licensing/settings/signing-keys.test.ts'
const OFFLINE = 'src/licensing/workflows/leases/offline-lease.ts'
const client = 'test/licensing/license-api/license-client.test.ts'
const crl = 'test/licensing/license-api/crl.test.ts'

/** The keys that sign licenses, their manifest, and the list of what is revoked. */
export const signingKeyBreaks: readonly Break[] = [
  {
    promise: 'a key signs only when verifiers have had an hour to learn of it',
    file: RULES,
    find: 'if (knownFrom > at)',
    replace: 'if (knownFrom > at && !kid)',
    test: rules,
    named: 'signs when verifiers have had an hour',
  },
  {
    promise: 'a retiring key stays while a panel may work with what it signed',
    file: RULES,
    find: 'if (from && from > at)',
    replace: 'if (from && from > at && !kid)',
    test: rules,
    named: 'stays while a panel may work',
  },
  {
    promise: 'a manifest serial never goes down',
    file: RULES,
    find: 'if (ask.serial !== serial)',
    replace: 'if (ask.serial > serial)',
    test: rules,
    named: 'comes out of turn',
  },
  {
    promise: 'a key that fell is on no list',
    file: RULES,
    find: "state !== 'compromised' && (",
    replace: "state !== 'next' && (",
    test: http,
    named: 'takes what it signed along',
  },
  {
    promise: 'a new key is published before it signs',
    file: SIGNING,
    find: 'const ring = await unit.load(signingKeys)\n  const { root } = ring\n  if (!root?.privateJwk) return',
    replace:
      'const ring = await unit.load(signingKeys)\n  const { root } = ring\n  if (!root?.privateJwk || ring.manifest) return',
    test: http,
    named: 'keeps every license that was ever issued good',
  },
  {
    promise: 'licenses of a key that fell are signed anew',
    file: 'src/licensing/signing-keys/reactions.ts',
    find: "'ResignLicense', { licenseId, kid: now, reason }",
    replace: "'ResignLicense', { licenseId, kid, reason }",
    test: http,
    named: 'takes what it signed along',
  },
  {
    promise: 'the manifest is renewed in time',
    file: SIGNING,
    find: '|| halfMs <= unit.at.getTime()',
    replace: '|| halfMs <= 0',
    test: http,
    named: 'renews it in time',
  },
  {
    promise: 'the list of revoked keys has a higher serial with each',
    file: 'projections/licensing/license-api.ts',
    find: 'return newest?.position ?? 0',
    replace: 'return newest ? 1 : 0',
    test: crl,
    named: 'with a higher serial each time',
  },
  {
    promise: 'the list of revoked keys is never out of date',
    file: 'src/licensing/licenses/revocation-list.ts',
    find: '[serial, iat, signedWith.kid, iss]',
    replace: '[serial, signedWith.kid, iss]',
    test: crl,
    named: 'is never out of date',
  },
  {
    promise: 'a herd that asks for a new list has it made once',
    file: 'src/licensing/licenses/revocation-list.ts',
    find: 'if (kept?.key === key) return kept.list',
    replace: '',
    test: crl,
    named: 'is made once',
  },
  {
    promise: 'a lease file is made only for who has the license key',
    file: OFFLINE,
    find: 'if (k === undefined || !holds',
    replace: 'if (k !== undefined && !holds',
    test: client,
    named: 'is refused without the license key',
  },
  {
    promise: 'a panel without a network takes an activation slot',
    file: OFFLINE,
    find: 'maxActivations,\n    reclaimable: [],',
    replace: 'maxActivations: 1_000,\n    reclaimable: [],',
    test: client,
    named: 'beyond the cap',
  },
  {
    promise: 'a lease file never outlives its license and grace',
    file: OFFLINE,
    find: 'Math.min(unit.at.getTime() + days * DAY_MS, Date.parse(license.graceEndsAt))',
    replace: 'unit.at.getTime() + days * DAY_MS',
    test: client,
    named: 'never outlives its license',
  },
  {
    promise: 'a lease file is recorded',
    file: OFFLINE,
    find: 'unit.appendEvent(licenseReads, undefined, LicenseLeasedOffline(which))',
    replace: 'LicenseLeasedOffline(which)',
    test: client,
    named: 'is activated by a file',
  },
  {
    promise: 'a service says at its start where the root key is kept',
    file: 'src/cli/root-key.ts',
    find: `root?.privateJwk ?`,
    replace: `root?.publicJwk === undefined ?`,
    test: 'test/cli/cli-root-key.test.ts',
    named: 'a root key is kept elsewhere',
  },
]
