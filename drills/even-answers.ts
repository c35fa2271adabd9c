import { newSecret } from '#kernel/credentials/secret-token'
import type { Drill } from './drill.ts'
import { compared, inWords } from './pairs.ts'
import type { Allowed, Compared, Kinds } from './pairs.ts'
import { address, ask, onPanels, PASSWORD, signingIn } from './panel-site.ts'
import type { Asked, PanelSite } from './panel-site.ts'

const OF_A_KIND = 20
const ELSEWHERE = Array.from({ length: 10 }, (_, nth) => `2001:db8:0:${nth + 1}::/64`)
const LONG_AGO = '2020-01-01T00:00:00Z'
const WRONG = 'quite another passphrase 77'
/** The figures of A4, and their share of an answer on an idle machine. */
const ALLOWED_KEYS: Allowed = { ms: 0.05, share: 0.05 }
/** A refusal takes at least 250 ms, which is longer than its work takes on an idle machine. */
const ALLOWED_ACCOUNTS: Allowed = { ms: 0.5, share: 0.005, busyMs: 265 }
const SIGNING_IN_AT_ONCE = 2

/** The kind of credential that was refused, and the comparison of each reason with the first. */
interface Part {
  readonly of: string
  readonly found: readonly Compared[]
}

/** Promise A4: neither the time nor the text of an answer reveals the reason for a refusal. */
export const evenAnswers: Drill = {
  name: 'even-answers',
  does: 'API keys and sign-ins are refused for every reason in turn, and the times compared in pairs',
  breaks: 'a known key takes 0.25 ms longer; a refused sign-in is answered at once, and later if there is an account',
  run: ({ directory, isQuick, isBroken }) =>
    onPanels(directory, async (place) => {
      const port = await place.panel(isBroken ? 'telling-times.ts' : undefined, { AUTH_FAILURES_PER_MINUTE: '1000000' })
      const counted = { refused: 0, strange: [] as number[] }
      /** @returns how long it took, in ms */
      async function timed(asked: Asked, due: number): Promise<number> {
        const { status, tookMs } = await ask(port, asked)
        if (status === due) counted.refused += 1
        else counted.strange.push(status)
        return tookMs
      }
      const parts: Part[] = [
        { of: 'API key', found: await keys(place, timed, isQuick ? 600 : 6_000) },
        { of: 'account', found: await accounts(place, timed, isQuick ? 24 : 120) },
      ]
      const { refused, strange } = counted
      return {
        acknowledged: refused,
        found: refused,
        lost: 0,
        doubled: 0,
        broken: [
          ...toldIn(parts, isBroken),
          ...strange.slice(0, 1).map((status) => `the first of ${strange.length} unexpected answers is ${status}`),
        ],
        note: parts.map(({ of, found }) => `${of}: ${inWords(found)}`).join('; '),
      }
    }),
}

type Timed = (asked: Asked, due: number) => Promise<number>

/** A break that half of the parts do not show has not been noticed. */
function toldIn(parts: readonly Part[], isBroken: boolean): string[] {
  const told = parts.flatMap(({ of, found }) =>
    found.filter(({ isTold }) => isTold).map(({ name }) => `the time of the answer reveals an ${of} that is ${name}`),
  )
  const isNoticed = parts.every(({ found }) => found.some(({ isTold }) => isTold))
  return isBroken && !isNoticed ? [] : told
}

const many = <Thing>(count: number, make: () => Thing): Thing[] => Array.from({ length: count }, make)

async function keys(place: PanelSite, timed: Timed, rounds: number): Promise<Compared[]> {
  const [owner, suspended] = [await place.account(), await place.account('SUSPENDED')]
  const made = async (make: () => Promise<string>) => Promise.all(many(OF_A_KIND, make))
  const kinds = {
    unknown: many(OF_A_KIND, () => newSecret('k')),
    revoked: await made(() => place.key(owner.id, { isRevoked: true })),
    expired: await made(() => place.key(owner.id, { expiresAt: LONG_AGO })),
    elsewhere: await made(() => place.key(owner.id, { allowedIps: ELSEWHERE })),
    suspended: await made(() => place.key(suspended.id)),
  }
  await place.caughtUp()
  const from = address()
  const presenting = (secrets: readonly string[]) => (round: number) =>
    timed({ path: '/api/projects', from, authorization: `Bearer ${secrets[round % OF_A_KIND]!}` }, 401)
  const all: Kinds = Object.fromEntries(Object.entries(kinds).map(([name, secrets]) => [name, presenting(secrets)]))
  // Warms up, so that slow first requests do not count.
  for (let round = 0; round < OF_A_KIND; round += 1) for (const present of Object.values(all)) await present(round)
  return compared(all, rounds, ALLOWED_KEYS)
}

/** Few guesses for each account, so that none is delayed, and no address is blocked. */
async function accounts(place: PanelSite, timed: Timed, rounds: number): Promise<Compared[]> {
  const known = await Promise.all(many(rounds, () => place.account()))
  const suspended = await place.account('SUSPENDED')
  const kinds: Kinds = {
    unknown: (round) => timed(signingIn(`nobody-${round}@panel.test`, WRONG), 401),
    'known, with a wrong password': (round) => timed(signingIn(known[round]!.email, WRONG), 401),
    'suspended, with the right password': () => timed(signingIn(suspended.email, PASSWORD), 401),
  }
  return compared(kinds, rounds, ALLOWED_ACCOUNTS, SIGNING_IN_AT_ONCE)
}
