import type { Break } from './breaks.ts'

const CALLER = 'src/licensing/identity/license-caller.ts'
const DECIDER = 'src/licensing/instances/decider.ts'
const HEARTBEATS = 'src/licensing/heartbeats.ts'
const LEASING = 'src/licensing/leasing.ts'
const ACTIVATIONS = 'src/licensing/license-api/activations/routes.ts'

const signed = 'test/licensing/license-api-signed.test.ts'
const leases = 'test/licensing/license-api-heartbeats.test.ts'
const limits = 'test/licensing/license-api-limits.test.ts'
const rules = 'test/licensing/instances-rules.test.ts'
const storm = 'test/licensing/instances-storm.test.ts'
const silence = 'test/licensing/instances-silence.test.ts'
const office = 'test/licensing/instances.test.ts'

/** What panels sign and are told, and the slots that they hold. */
export const licenseApiBreaks: readonly Break[] = [
  {
    promise: 'a signature has no second spelling',
    file: 'src/kernel/http/signature.ts',
    find: 'return serializeDictionary(parsed) === text ? parsed : undefined',
    replace: 'return parsed',
    test: 'test/kernel/signature.test.ts',
    named: 'second spelling',
  },
  {
    promise: 'only who holds the secret of a license key signs with it',
    file: CALLER,
    find: "  if (!holds) refuseSignature('wrong signature')\n",
    replace: '',
    test: signed,
    named: 'one with another authority is refused',
  },
  {
    promise: 'the body is the one that was signed',
    file: CALLER,
    find: '  if (contentDigest(await request.body(BODY_BYTES_MAX)) !== message.contentDigest)',
    replace: '  if (contentDigest(await request.body(BODY_BYTES_MAX)) === undefined)',
    test: signed,
    named: 'the body',
  },
  {
    promise: 'a signed request is answered once',
    file: CALLER,
    find: "  if (!(await tools.nonces.take(keyId, nonce))) refuseSignature('used nonce')\n",
    replace: '',
    test: signed,
    named: 'asked twice',
  },
  {
    promise: 'while nonces cannot be stored nothing is accepted',
    file: 'src/kernel/identity/nonces.ts',
    find: '      throw refusal',
    replace: '      return true',
    test: signed,
    named: 'while nonces cannot be stored',
  },
  {
    promise: 'a signature of another time is refused',
    file: CALLER,
    find: 'if (created !== undefined && Math.abs(created - seconds) > SIGNATURE_SECONDS_MAX) return false',
    replace: '',
    test: signed,
    named: 'a clock that is off',
  },
  {
    promise: 'a signature covers the authority',
    file: 'src/kernel/http/signature.ts',
    find: `    ['"@authority"', message.authority],\n`,
    replace: '',
    test: 'test/kernel/signature.test.ts',
    named: 'the golden vector',
  },
  {
    promise: 'who speaks for an instance has its key',
    file: CALLER,
    find: "  return isEd25519(publicKey, base, inst.signature) ? instance : refuseSignature('wrong signature of the instance')",
    replace: '  return isEd25519(publicKey, base, inst.signature) || instance ? instance : refuseSignature()',
    test: signed,
    named: 'is needed where an instance is named',
  },
  {
    promise: 'a key that leaked is dead at once',
    file: CALLER,
    find: '  isCurrent || (until !== null && Date.parse(until) > now.getTime())',
    replace: '  isCurrent || until === null || Date.parse(until) > now.getTime()',
    test: leases,
    named: 'that leaked is dead at once',
  },
  {
    promise: 'an old key is good for heartbeats only',
    file: ACTIVATIONS,
    find: "      if (!presented.isCurrent) refuseSignature('an old key deactivates nothing')\n",
    replace: '',
    test: leases,
    named: 'replaced by routine',
  },
  {
    promise: 'no more instances than the license allows',
    file: DECIDER,
    find: '  if (held.length < maxActivations) return []\n',
    replace: '  if (held.length <= maxActivations) return []\n',
    test: rules,
    named: 'is refused when none is free',
  },
  {
    promise: 'whoever activates while the license is revoked has no slot',
    file: ACTIVATIONS,
    find: 'license: await usable(unit, presented), isNew,',
    replace: 'license: { ...license, id: licenseId, maxActivations }, isNew,',
    test: storm,
    named: 'whoever activates while the license is revoked',
  },
  {
    promise: 'silent instances lose their slots only where the plan says so',
    file: ACTIVATIONS,
    find: 'if (!plan || plan.reclaimStaleAfterDays === 0) return []',
    replace: 'if (!plan) return []',
    test: office,
    named: 'where the plan says so',
  },
  {
    promise: 'what is revoked is listed while anything that was signed for it is good',
    file: 'projections/licensing/license-api.ts',
    find: 'EXISTS (SELECT FROM read.license_ends AS e WHERE e.license_id = r.license_id AND e.ends_at > ${now})',
    replace: 'l.grace_ends_at > ${now}',
    test: 'test/licensing/license-api-crl.test.ts',
    named: 'for as long as anything is good that was signed for it',
  },
  {
    promise: 'a panel that has a file is not silent',
    file: 'projections/licensing/instances.ts',
    find: 'o.expires_at) FROM read.offline_leases AS o WHERE o.instance_id = i.id',
    replace: 'o.expires_at) FROM read.offline_leases AS o WHERE o.id = i.id',
    test: silence,
    named: 'is not stale while its file lasts',
  },
  {
    promise: 'to look for the silent costs the same, however many instances there are',
    file: 'projections/licensing/instances.ts',
    find: 'living(read, here.selectAll().limit(SCANNED_MAX))',
    replace: 'living(read, here.selectAll())',
    test: silence,
    named: 'each look reads no more than its stretch',
  },
  {
    promise: 'each look for the silent goes on where the last one ended',
    file: 'src/licensing/instances/reactions.ts',
    find: 'lookedTo.set(read, next)',
    replace: 'lookedTo.set(read, undefined)',
    test: silence,
    named: 'each look reads no more than its stretch',
  },
  {
    promise: 'two panels with one key are told apart',
    file: HEARTBEATS,
    find: 'forked = excluded.prev IS NOT NULL AND excluded.prev <> h.lease,',
    replace: 'forked = false,',
    test: leases,
    named: 'two panels with one key',
  },
  {
    promise: 'a panel whose answer was lost is not suspected',
    file: HEARTBEATS,
    find: 'forked = excluded.prev IS NOT NULL AND excluded.prev <> h.lease,',
    replace: "forked = coalesce(excluded.prev, '') <> h.lease,",
    test: leases,
    named: 'whose answer was lost',
  },
  {
    promise: 'a lease never outlasts the grace of its license',
    file: LEASING,
    find: 'Math.min(offlineMs, Date.parse(terms.graceEndsAt))',
    replace: 'offlineMs',
    test: leases,
    named: 'of time: in its grace',
  },
  {
    promise: 'the newest license key rides along',
    file: 'src/licensing/license-api/heartbeats/routes.ts',
    find: '(GIVES_KEY.includes(state) && body.seqSeen !== license.seq)',
    replace: 'false',
    test: leases,
    named: 'brings the newest license key',
  },
  {
    promise: 'a limit counts for all who ask at once',
    file: 'src/kernel/identity/rates.ts',
    find: '  WHERE greatest(r.paid_until, $2) <= $2::timestamptz + make_interval(secs => $4)\n',
    replace: '',
    test: 'test/kernel/nonces.test.ts',
    named: 'a rate lets so many through',
  },
  {
    promise: 'an instance may not send heartbeats without end',
    file: HEARTBEATS,
    find: '    if (!taken) throw',
    replace: '    if (!taken && forked) throw',
    test: limits,
    named: 'twelve heartbeats an hour',
  },
  {
    promise: 'a key that leaked takes those before it with it',
    file: 'projections/licensing/license-api/keys.ts',
    find: 'oldKeyUntil === null ? { subscriptionId } : { keyId: oldKeyId }',
    replace: '{ keyId: oldKeyId }',
    test: leases,
    named: 'before one that leaked is dead with it',
  },
]
