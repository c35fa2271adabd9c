import { newSecret } from '#kernel/credentials/secret-token'
import { guessesWithin } from '../test/support/wrong-guesses.ts'
import type { Drill } from './drill.ts'
import { asked } from './ledger.ts'
import { address, ask, newBlock, onPanels, signingIn } from './panel-site.ts'
import type { Asked, PanelSite } from './panel-site.ts'

const PROCESSES = 3
const AT_ONCE = 90
const WRONG = 'quite another passphrase 77'
/** For one address block: wrong passwords in a quarter of an hour, links in an hour, bad credentials a minute. */
const GUESSES_MAX = 20
const LINKS_MAX = 30
const FAILURES_PER_MINUTE = 60
const GARBAGE = 300

/** A count in words, and whether it is as promised. */
interface Count {
  readonly what: string
  readonly allowed: number
  readonly isRight: boolean
}

/**
 * Promises A6 to A8: exactly as many guesses, links and bad credentials as allowed, however many arrive at
 * once and at whichever process.
 */
export const rateLimits: Drill = {
  name: 'rate-limits',
  does: `passwords are guessed, links requested and bad credentials sent to ${PROCESSES} panels on one database at once`,
  breaks: 'each process counts by itself, and the gate counts nothing',
  run: ({ directory, isQuick, isBroken }) =>
    onPanels(directory, async (place) => {
      const broken = isBroken ? 'counting-alone.ts' : undefined
      const env = { AUTH_FAILURES_PER_MINUTE: String(FAILURES_PER_MINUTE) }
      const ports = await Promise.all(Array.from({ length: PROCESSES }, () => place.panel(broken, env)))
      const counts: Count[] = []
      for (let left = isQuick ? 1 : 10; left > 0; left -= 1)
        for (const count of [guessesFromOneBlock, guessesAtOneAccount, linksForOneBlock])
          counts.push(await count(place, ports))
      counts.push(await garbage(place, ports[0]!))
      const wrong = counts.filter(({ isRight }) => !isRight)
      // A break that some of the counts do not show has not been noticed.
      const isNoticed = wrong.length === counts.length || !isBroken
      const acknowledged = counts.reduce((sum, { allowed }) => sum + allowed, 0)
      return {
        acknowledged,
        found: acknowledged,
        lost: 0,
        doubled: 0,
        broken: isNoticed ? wrong.map(({ what }) => what) : [],
        note: counts.map(({ what }) => what).join(', '),
      }
    }),
}

const toEach = (ports: readonly number[], asking: (nth: number) => Asked) =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, nth) => ask(ports[nth % ports.length]!, asking(nth))))

/** Accounts whose password was examined are recorded. A try that the full queue refused is not. */
const lookedAt = async (url: string, ids: readonly string[]): Promise<number> => {
  const text = `SELECT count(*)::int AS number FROM store.event WHERE type = 'UserLoginFailed' AND data->>'userId' = ANY ($1)`
  return (await asked<{ number: number }>(url, text, [ids]))[0]!.number
}

async function guessesFromOneBlock(place: PanelSite, ports: readonly number[]): Promise<Count> {
  const block = newBlock()
  const people = await Promise.all(Array.from({ length: AT_ONCE / 3 }, () => place.account()))
  const replies = await toEach(ports, (nth) => signingIn(people[nth % people.length]!.email, WRONG, address(block)))
  const allowed = await lookedAt(
    place.databaseUrl,
    people.map(({ id }) => id),
  )
  const turnedAway = replies.filter(({ status }) => status === 503).length
  const isRight = allowed <= GUESSES_MAX && allowed + turnedAway >= GUESSES_MAX
  return { what: `${allowed} of ${AT_ONCE} guesses of one /64 examined`, allowed, isRight }
}

async function guessesAtOneAccount(place: PanelSite, ports: readonly number[]): Promise<Count> {
  const { id, email } = await place.account()
  const beganMs = performance.now()
  const replies = await toEach(ports, () => signingIn(email, WRONG))
  const most = guessesWithin(performance.now() - beganMs)
  const allowed = await lookedAt(place.databaseUrl, [id])
  const turnedAway = replies.filter(({ status }) => status === 503).length
  const isRight = allowed <= most && allowed + turnedAway >= 5
  return { what: `${allowed} of ${AT_ONCE} guesses at one account examined`, allowed, isRight }
}

async function linksForOneBlock(_place: PanelSite, ports: readonly number[]): Promise<Count> {
  const block = newBlock()
  const replies = await toEach(ports, (nth) => ({
    path: '/api/auth/forgot-password',
    from: address(block),
    body: { email: `nobody-${nth}@panel.test` },
  }))
  const allowed = replies.filter(({ status }) => status === 202).length
  const refused = replies.filter(({ status }) => status === 429).length
  const isRight = allowed === LINKS_MAX && allowed + refused === AT_ONCE
  return { what: `${allowed} of ${AT_ONCE} requests of one /64 for links accepted`, allowed, isRight }
}

const SPELLINGS = ['Bearer', 'bearer', 'BEARER', 'Basic']

/** Well-formed keys and garbage in any spelling, while another client behind the same address continues to work. */
async function garbage(place: PanelSite, port: number): Promise<Count> {
  const good = `Bearer ${await place.key((await place.account()).id)}`
  await place.caughtUp()
  const block = newBlock()
  const present = (authorization: string, from = block) =>
    ask(port, { path: '/api/projects', from: address(from), authorization })
  await accepted(() => present(good, newBlock()))
  const beganMs = performance.now()
  const bad = Array.from({ length: GARBAGE }, (_, nth) =>
    present(`${SPELLINGS[nth % SPELLINGS.length]} ${nth % 2 ? newSecret('k') : `dbk_garbage${nth}`}`),
  )
  const neighbour = Array.from({ length: 50 }, () => present(good))
  const statuses = (await Promise.all(bad)).map(({ status }) => status)
  const most = FAILURES_PER_MINUTE + ((performance.now() - beganMs) * FAILURES_PER_MINUTE) / 60_000 + 1
  const allowed = statuses.filter((status) => status === 401).length
  const isCounted = allowed >= FAILURES_PER_MINUTE && allowed <= most
  const others = statuses.filter((status) => status !== 401 && status !== 429).length
  const held = (await Promise.all(neighbour)).filter(({ status }) => status !== 200).length
  const elsewhere = await present('Bearer garbage', newBlock())
  const isRight = isCounted && others === 0 && held === 0 && elsewhere.status === 401
  return {
    what: `${allowed} of ${GARBAGE} bad credentials answered as such, ${held} requests of its neighbour refused`,
    allowed,
    isRight,
  }
}

/** The panel applies events that another process wrote. */
async function accepted(present: () => Promise<{ status: number }>): Promise<void> {
  while ((await present()).status !== 200);
}
