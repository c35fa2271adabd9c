import type { Break } from './breaks.ts'

const STATE = 'src/license-client/state.ts'
const ANSWERS = 'src/license-client/answers.ts'
const MANIFEST = 'src/license-client/manifest.ts'
const OFFLINE = 'src/license-client/offline.ts'
const states = 'test/license-client/state.test.ts'
const answers = 'test/license-client/answers.test.ts'
const files = 'test/license-client/offline.test.ts'
const client = 'test/license-client/client.test.ts'
const jws = 'test/kernel/jws.test.ts'

/** What a panel believes, and what it makes of it. */
export const licenseClientBreaks: readonly Break[] = [
  {
    promise: 'a statement is read in one spelling only',
    file: 'src/kernel/identity/jws.ts',
    find: "bytes.toString('base64url') === part",
    replace: 'bytes.length > 0',
    test: jws,
    named: 'reads nothing',
  },
  {
    promise: 'a statement brings neither algorithm nor key of its own',
    file: 'src/kernel/identity/jws.ts',
    find: ".join(',') === HEADER_FIELDS",
    replace: ".join(',').includes('alg')",
    test: jws,
    named: 'reads nothing',
  },
  {
    promise: 'only the root key vouches for keys',
    file: MANIFEST,
    find: ' || !isSignedBy(said, publicKeyOf(root.jwk))',
    replace: '',
    test: states,
    named: 'nobody vouches for',
  },
  {
    promise: 'a retired key is not believed for what it signed later',
    file: MANIFEST,
    find: 'data.iat > key.exp',
    replace: 'data.iat > key.exp + 999',
    test: states,
    named: 'is not believed for what it signed later',
  },
  {
    promise: 'an answer belongs to its request',
    file: ANSWERS,
    find: 'lease.req === hashOfNonce(nonce) &&',
    replace: '',
    test: answers,
    named: 'an answer that proves nothing',
  },
  {
    promise: 'an answer belongs to this instance’s key',
    file: ANSWERS,
    find: 'lease.cnf.jkt === thumbprint(instanceKey) &&',
    replace: '',
    test: answers,
    named: 'an answer that proves nothing',
  },
  {
    promise: 'an older list of keys is not taken from the network',
    file: ANSWERS,
    find: 'manifest.serial >= memory.manifestSerial &&',
    replace: '',
    test: answers,
    named: 'is never an older one',
  },
  {
    promise: 'no license key comes back from the past',
    file: ANSWERS,
    find: 'next.seq < now.seq',
    replace: 'next.seq < 0',
    test: answers,
    named: 'brings no earlier one back',
  },
  {
    promise: 'a failed heartbeat changes nothing but the badge',
    file: ANSWERS,
    find: '  ...memory,\n  lastHeartbeat: { at: now, ok: false },',
    replace: '  ...memory,\n  lease: null,\n  lastHeartbeat: { at: now, ok: false },',
    test: answers,
    named: 'any garbage leaves the state as it is',
  },
  {
    promise: 'a clock that is set back is noticed',
    file: STATE,
    find: 'memory.highWater - SET_BACK_SECONDS ||',
    replace: '0 ||',
    test: states,
    named: 'TAMPERED',
  },
  {
    promise: 'a clock that is set back by a little lengthens nothing',
    file: STATE,
    find: 'Math.max(corrected(memory, now), memory.highWater)',
    replace: 'corrected(memory, now)',
    test: states,
    named: 'lengthens nothing',
  },
  {
    promise: 'a refusal ends an older lease from a file',
    file: STATE,
    find: 'if (isNegative(lease) || isNegative(fileLease))',
    replace: 'if (isNegative(fileLease))',
    test: states,
    named: 'ends with a refusal',
  },
  {
    promise: 'a lease file is for one panel',
    file: OFFLINE,
    find: 'lease.cnf.jkt !== thumbprint(memory.instanceKey)',
    replace: "lease.cnf.jkt === ''",
    test: files,
    named: 'is not one for another panel',
  },
  {
    promise: 'a lease file is never replaced by one that is worth less',
    file: OFFLINE,
    find: '(lease.exp < kept.exp || lease.seq < kept.seq)',
    replace: 'lease.exp < 0',
    test: files,
    named: 'never replaced',
  },
  {
    promise: 'an activation that fails leaves what was',
    file: 'src/license-client/client.ts',
    find: "if (result.outcome !== 'GOOD') throw refusalOf(reply)",
    replace: "if (result.outcome !== 'GOOD') throw ((memory = removed(memory)), refusalOf(reply))",
    test: client,
    named: 'leaves everything as it was',
  },
  {
    promise: 'a replaced key is no verdict',
    file: 'src/license-client/answers.ts',
    find: "lease.st === 'SUPERSEDED'",
    replace: "lease.st === 'SUPERSEDED' && licenseKey !== undefined",
    test: answers,
    named: 'no verdict without that key',
  },
  {
    promise: 'who lost the answer to an activation is no clone',
    file: 'src/license-client/client.ts',
    find: 'lastHeartbeat: memory.lastHeartbeat?.ok === true ? null : memory.lastHeartbeat',
    replace: 'lastHeartbeat: memory.lastHeartbeat',
    test: client,
    named: 'whose answer is lost',
  },
  {
    promise: 'no file brings an earlier license key back',
    file: OFFLINE,
    find: 'isEarlier ? memory.licenseKey : file.licenseKey',
    replace: 'file.licenseKey',
    test: files,
    named: 'brings no earlier license key back',
  },
]
