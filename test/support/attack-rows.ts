/**
 * Promises about credentials and authorization (rows A1 to A19 of the security design), about expensive
 * clients (H11 and H12), about what a process may do in its database (D19) and what an event may hold (D20),
 * for each service. Each row names the tests that prove it and the breaks by hand of `npm run mutants` that
 * these tests notice; what is generated needs no name here. It names drills where only a running service
 * shows it.
 */
export interface Proof {
  /** `file > part of a test's name`. */
  readonly tests: readonly string[]
  /** The promises of the breaks by hand. */
  readonly breaks?: readonly string[]
  /** Names of `npm run drills`; each drill has a break of its own. */
  readonly drills?: readonly string[]
}

export interface AttackRow {
  readonly row: string
  readonly promise: string
  readonly licensing: Proof | { readonly not: string }
  readonly panel: Proof | { readonly not: string }
}

const ADDRESSES = 'test/kernel/credentials/allowed-ips.test.ts > is matched bit by bit'
const SOURCE = 'test/kernel/credentials/source-address.test.ts > with one trusted proxy'
const GATE = 'test/kernel/http/gate.test.ts > are counted per address'
const GATE_BLOCKS = 'test/kernel/http/gate.test.ts > are counted for the /56 and the /48 as well'
const LOG = 'test/kernel/logging/log.test.ts > never holds %s'
const SEALS = 'test/kernel/vault/vault.test.ts > a text sealed for one field'
const SUPPLY: Proof = {
  tests: [
    'test/house/supply-chain.test.ts > is the version that is declared',
    'test/house/supply-chain.test.ts > does not start, where the registry',
    'test/house/supply-chain.test.ts > has no known advisory but those that are accepted',
    'test/house/supply-chain.test.ts > the bill of materials names everything',
    'test/house/supply-chain.test.ts > notices what was published less than a week ago',
  ],
  breaks: ['the Node that runs is one that the lock hashes'],
}
const HALF_SENT: Proof = {
  tests: [
    'test/kernel/http/load.test.ts > take no place of requests that are whole',
    'test/kernel/http/load.test.ts > are given up, the oldest first',
    'test/kernel/http/load.test.ts > that come too slowly are ended',
  ],
  breaks: [
    'of half-sent bodies the fullest address block gives up its oldest',
    'a half-sent body is not waited for without end',
  ],
}
const ONE_SOCKET: Proof = {
  tests: [
    'test/kernel/http/pipelining.test.ts > are answered one after another',
    'test/kernel/http/pipelining.test.ts > are no more than 64 that wait',
    'test/kernel/http/kept.test.ts > is encoded for none of many who ask',
  ],
}

const LOGINS: Proof = {
  tests: [
    'test/kernel/store/roles.test.ts > takes up Daybook’s three roles and no other',
    'test/kernel/store/roles.test.ts > belongs to a role that nothing logs in as',
    'test/kernel/store/roles.test.ts > looks up nothing in what its caller may write',
    'test/cli/logins.test.ts > an evaluation of 0.1.0 goes on as a login that is not the owner',
  ],
  breaks: [
    'log, chain and claims are written by functions alone',
    'a function that runs with the rights of another looks up nothing in what its caller may write',
  ],
}
const STORABLE: Proof = {
  tests: [
    'test/house/storable.test.ts > no read model parks what an append takes',
    'test/kernel/events/storable.test.ts > for a moment before the year 1 in UTC',
  ],
}

export const ATTACK_ROWS: readonly AttackRow[] = [
  {
    row: 'A1',
    promise: 'every route is asked with every kind of credential',
    licensing: {
      tests: ['test/licensing/access/access.test.ts > every declaration says what the table says'],
    },
    panel: {
      tests: ['test/panel/access/access.test.ts > every route was asked with every credential'],
    },
  },
  {
    row: 'A2',
    promise: 'what is somebody else’s is like what there is not, and nothing of it changes',
    licensing: {
      tests: ['test/licensing/shop/mirror.test.ts > any id of another is like none'],
    },
    panel: {
      tests: [
        'test/panel/service/mirror.test.ts > of another is like nothing',
        'test/panel/teams/teams.test.ts > to a stranger the team is like none',
        'test/panel/notifications/notifications.test.ts > those of somebody else are not there',
        'test/panel/api-keys/api-keys.test.ts > a key of somebody else is like an unknown one',
        'test/panel/events/events.test.ts > is what whoever listens could read himself',
      ],
    },
  },
  {
    row: 'A3',
    promise: 'what is refused when something is made is refused when it is changed',
    licensing: {
      tests: [
        'test/licensing/machine-tokens/machine-tokens.rules.test.ts > rotat',
        'test/licensing/features/features.test.ts > type',
      ],
    },
    panel: {
      tests: [
        'test/panel/service/updates-attacks.test.ts > a project',
        'test/panel/users/hierarchy.test.ts > no path lets an ADMIN make an ADMIN',
        'test/panel/users/users.rules.test.ts > the role is given and taken by a SUPERADMIN alone',
      ],
    },
  },
  {
    row: 'A4',
    promise: 'a refusal tells its cause neither by its bytes nor by its time',
    licensing: {
      tests: [
        'test/licensing/auth/attacks.test.ts > every refused sign-in is the same answer to the byte',
        'test/licensing/auth/answer-time.test.ts > take equally long',
        'test/licensing/auth/attacks.test.ts > every refused session is the same answer to the byte',
      ],
      breaks: ['a refused sign-in tells nothing by its time'],
    },
    panel: {
      tests: [
        'test/panel/auth/attacks.test.ts > every refused sign-in is the same answer to the byte',
        'test/panel/auth/attacks.test.ts > cost a hash all the same',
        'test/panel/auth/alike.test.ts > every link that leads nowhere',
        'test/panel/api-keys/api-keys.test.ts > is refused like an unknown one',
        'test/panel/auth/links.test.ts > one answer and one event',
        ADDRESSES,
      ],
      breaks: ['a long list of allowed addresses takes no longer than none'],
      drills: ['even-answers'],
    },
  },
  {
    row: 'A5',
    promise: 'a credential is used from where it may be, and nobody chooses where he is',
    licensing: {
      tests: [ADDRESSES, SOURCE, 'test/licensing/machine-tokens/machine-tokens.test.ts > called from'],
    },
    panel: {
      tests: [
        ADDRESSES,
        'test/panel/api-keys/attacks.test.ts > like one that nobody has',
        'test/panel/api-keys/api-keys.test.ts > from nobody knows where',
      ],
    },
  },
  {
    row: 'A6',
    promise: 'guesses at secrets cost no look-up when they are garbage, and are limited when they are not',
    licensing: {
      tests: [GATE, 'test/licensing/machine-tokens/machine-tokens.test.ts > garbage'],
    },
    panel: {
      tests: [
        'test/panel/api-keys/attacks.test.ts > asks no database',
        'test/panel/api-keys/attacks.test.ts > are limited by the /64',
      ],
      drills: ['rate-limits'],
    },
  },
  {
    row: 'A7',
    promise:
      'passwords, codes, links and setup tokens are counted before they are looked at, for the account and for the address',
    licensing: {
      tests: ['test/licensing/auth/attacks.test.ts > guessing (A7)'],
      breaks: ['spellings of an address share one counter'],
    },
    panel: {
      tests: [
        'test/panel/auth/attacks.test.ts > guessing (A7)',
        'test/panel/auth/attacks.test.ts > one-time things, raced by 100',
        'test/panel/auth/attacks.test.ts > an account that was guessed at in one process waits in every other',
        'test/panel/auth/guesses.test.ts > counts a guess for where it came from',
        'test/panel/auth/first.test.ts > of 100 who are first at once, one is',
      ],
      breaks: [
        'panel: parallel guesses at a password are counted before they are looked at',
        'panel: a backup code is used once',
        'panel: a guess at a password counts for the address, wherever it is asked for',
        'guesses at links and setup tokens count for their address',
      ],
      drills: ['rate-limits'],
    },
  },
  {
    row: 'A8',
    promise: 'a limit is exact, and counts who somebody is and not how he spells it',
    licensing: {
      tests: ['test/licensing/license-api/limits.test.ts > an instance may send twelve heartbeats an hour', GATE],
    },
    panel: {
      tests: [
        'test/panel/api-keys/attacks.test.ts > are limited by the /64',
        'test/panel/auth/links.test.ts > is refused to an address block',
      ],
      drills: ['rate-limits'],
    },
  },
  {
    row: 'A9',
    promise: 'no secret and no personal value stands in a log',
    licensing: {
      tests: [
        LOG,
        'test/licensing/provisioning/canary.test.ts > leaves no trace of a person',
        'test/licensing/auth/attacks.test.ts > no personal value and no secret',
      ],
      breaks: ['claim keys are HMACs, not addresses'],
    },
    panel: {
      tests: [LOG, 'test/panel/service/canary.test.ts > stands in clear nowhere'],
    },
  },
  {
    row: 'A10',
    promise: 'secrets are ciphertext where they are kept, each bound to its place',
    licensing: {
      tests: [SEALS],
      breaks: ['a seal is bound to its subject', 'a seal is bound to its field'],
    },
    panel: {
      tests: [
        SEALS,
        'test/panel/service/canary.test.ts > stands in clear nowhere',
        'test/panel/license/license.test.ts > stands nowhere in clear',
        'test/panel/api-keys/api-keys.test.ts > the secret is in no table, log line or answer',
      ],
      breaks: ['a seal is bound to its subject'],
    },
  },
  {
    row: 'A11',
    promise: 'no verification fails while keys change',
    licensing: {
      tests: [
        'test/licensing/settings/signing-keys.test.ts > takes what it signed along',
        'test/licensing/signing-keys/signing-keys.test.ts > stays while a panel may work with what it signed',
      ],
      drills: ['key-rotation'],
    },
    panel: {
      not: 'it verifies with the keys of the licensing service, as src/license-client does; its own sessions have a key that does not change',
    },
  },
  {
    row: 'A12',
    promise: 'a cookie is taken where it belongs, from the installation’s own pages',
    licensing: {
      tests: ['test/licensing/auth/auth.test.ts > the cookie is taken from our own pages only'],
    },
    panel: {
      tests: [
        'test/panel/auth/cookies.test.ts > it is refused, and what it stands for goes on',
        'test/panel/auth/cookies.test.ts > both cookies are for no script',
        'test/panel/auth/cookies.test.ts > a session and tokens of his own',
      ],
      breaks: [
        'panel: the refresh cookie is for no script',
        'panel: under https the cookies are sent over nothing else',
        'panel: nobody is signed in by what was planted on him',
      ],
    },
  },
  {
    row: 'A13',
    promise: 'what ends somebody’s ways in holds on the next request of every process',
    licensing: {
      tests: [
        'test/licensing/auth/attacks.test.ts > ends hold at once (A13)',
        'test/processes/storms.test.ts > nor while the read models lag',
      ],
    },
    panel: {
      tests: [
        'test/panel/auth/endings.test.ts > somebody who %s',
        'test/panel/auth/sse.test.ts > it ends with its session',
        'test/panel/events/rights.test.ts > a stream is over with its session',
        'test/panel/users/users.test.ts > a changed role or status ends the sessions',
        'test/panel/api-keys/api-keys.test.ts > of somebody suspended',
      ],
    },
  },
  {
    row: 'A14',
    promise: 'a banned permission never works',
    licensing: {
      tests: ['test/licensing/machine-tokens/machine-tokens.test.ts > the ban list, at three points'],
    },
    panel: {
      not: 'it has no ban list: a key opens what declares a scope, and nothing that keys must not do declares one (A1)',
    },
  },
  { row: 'A15', promise: 'what is installed, and runs, is what was looked at', licensing: SUPPLY, panel: SUPPLY },
  {
    row: 'A16',
    promise: 'a stolen session without its password renews no proof, enrols no second factor and locks nobody out',
    licensing: {
      tests: [
        'test/licensing/access/session-thief.test.ts > no sequence of calls that needs no password',
        'test/licensing/access/session-thief.test.ts > five wrong codes end the session',
        'test/licensing/access/session-thief.test.ts > is told to the owner',
        'test/licensing/staff/staff.rules.test.ts > not younger than the last password proof',
      ],
      breaks: ['wrong codes of a stolen session do not block the sign-in'],
    },
    panel: {
      tests: [
        'test/panel/access/session-thief.test.ts > no sequence of calls that needs no password',
        'test/panel/access/session-thief.test.ts > enrolling is told to the owner',
      ],
    },
  },
  {
    row: 'A17',
    promise:
      'wrong sign-ins from one /48, /56 or /64 cost that block its place and no other, and a known device keeps its own',
    licensing: {
      tests: [
        'test/licensing/auth/flood.test.ts > every honest one is answered with its true answer',
        'test/licensing/auth/flood.test.ts > is counted nowhere',
        'test/kernel/credentials/fair-queue.test.ts > in place of the newest of the largest block',
        GATE_BLOCKS,
      ],
      breaks: ['a /48 has one share of the queue, and not one for each of its networks'],
    },
    panel: {
      tests: [
        'test/kernel/credentials/fair-queue.test.ts > in place of the newest of the largest block',
        'test/panel/auth/attacks.test.ts > who is signed in proves the password',
      ],
      breaks: ['who is signed in is not held up by failures of others behind the same address'],
      drills: ['sign-in-storm'],
    },
  },
  {
    row: 'A18',
    promise: 'no license key and no fingerprint takes the slot of a panel that is heard',
    licensing: {
      tests: [
        'test/licensing/instances/rivals.test.ts > no other key takes its slot',
        'test/licensing/instances/instances.rules.test.ts > takes no slot of a panel that is still heard',
        'test/licensing/license-api/limits.test.ts > uses up no activation',
      ],
    },
    panel: {
      tests: ['test/license-client/client.test.ts > is activated anew by itself'],
    },
  },
  {
    row: 'A19',
    promise: 'an answer that is repeated shows no secret, and nothing that a guard would refuse now',
    licensing: {
      tests: [
        'test/licensing/service/idempotency.test.ts > is refused as a repetition by its reference is',
        'test/kernel/http/idempotency.test.ts > is the route’s guard',
        'test/house/shown-once.test.ts > is called like a secret',
      ],
      breaks: [
        'a provisioning that is repeated by its Idempotency-Key is a read of the key',
        'a provisioning is not repeated once its license does not count',
      ],
    },
    panel: {
      tests: [
        'test/kernel/http/idempotency.test.ts > without what is shown once',
        'test/house/shown-once.test.ts > is called like a secret',
      ],
      breaks: ['idempotency: what a former version has kept of secrets is not shown'],
    },
  },
  {
    row: 'H11',
    promise:
      'half-sent bodies and slow uploads of one address block turn no other request away, and are gone within 8 s',
    licensing: HALF_SENT,
    panel: { ...HALF_SENT, drills: ['half-sent'] },
  },
  {
    row: 'H12',
    promise: 'one socket holds the event loop and the memory for little, whatever it pipelines or does not read',
    licensing: ONE_SOCKET,
    panel: { ...ONE_SOCKET, drills: ['pipelining'] },
  },
  {
    row: 'D19',
    promise: 'a process logs in as what owns nothing, and functions alone write the log',
    licensing: LOGINS,
    panel: LOGINS,
  },
  {
    row: 'D20',
    promise: 'what an event may hold, each column holds that it feeds',
    licensing: STORABLE,
    panel: STORABLE,
  },
]
