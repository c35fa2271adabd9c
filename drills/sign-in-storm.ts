import { setTimeout as pause } from 'node:timers/promises'
import type { Drill } from './drill.ts'
import { ask, onPanels, PASSWORD, signingIn } from './panel-site.ts'
import type { Answered, PanelSite } from './panel-site.ts'

const STORM = 240
const NETWORKS = 12
const ROUNDS = 3
const ROUND_EVERY_MS = 150
const HONEST = 4
const WRONG = 'quite another passphrase 77'

/** An address of the /48 that sends the storm, in one of twelve /64s. */
const within = (block: string, nth: number): string =>
  `${block}:${(nth % NETWORKS).toString(16)}::${(nth + 1).toString(16)}`
/** Each has a /48 of its own, so that only the storm is one block. */
const elsewhere = (nth: number): string => `2001:db8:${(0x1000 + nth).toString(16)}:1::1`

interface Honest {
  readonly due: 200 | 401
  ask(): Promise<Answered>
}

/** Promise A17: a storm of wrong sign-ins from one /48 costs that block its place, and no other block. */
export const signInStorm: Drill = {
  name: 'sign-in-storm',
  does: `${STORM} wrong sign-ins at once from ${NETWORKS} /64s of one /48; other blocks still sign in, and so does a known device within it`,
  breaks: 'all sign-ins wait in one queue, and only the /64 is counted',
  run: ({ directory, isQuick, isBroken }) =>
    onPanels(directory, async (place) => {
      const port = await place.panel(isBroken ? 'one-queue.ts' : undefined)
      const statuses: string[] = []
      let [asked, lost] = [0, 0]
      for (let round = 0; round < (isQuick ? 1 : ROUNDS); round += 1) {
        const block = `2001:db8:${(0xbad + round).toString(16)}`
        const honest = await honestOnes(place, port, { block, round })
        const storm = Promise.all(
          Array.from({ length: STORM }, (_, nth) =>
            ask(port, signingIn(`nobody-${nth}@panel.test`, WRONG, within(block, nth))),
          ),
        )
        await pause(ROUND_EVERY_MS)
        const answers = await Promise.all(honest.map((each) => each.ask()))
        await storm
        for (const [nth, { status }] of answers.entries()) {
          asked += 1
          statuses.push(String(status))
          if (status !== honest[nth]!.due) lost += 1
        }
      }
      return {
        acknowledged: asked,
        found: asked - lost,
        lost,
        doubled: 0,
        broken: [],
        note: `answered ${statuses.join(' ')}`,
      }
    }),
}

/** Right passwords and a mistyped one from other blocks, and a known device within the block. */
async function honestOnes(
  place: PanelSite,
  port: number,
  { block, round }: { block: string; round: number },
): Promise<readonly Honest[]> {
  const owner = await place.account()
  const others = await Promise.all(Array.from({ length: HONEST }, () => place.account()))
  const from = (nth: number): string => elsewhere(round * 100 + nth)
  const { cookies } = await ask(port, signingIn(owner.email, PASSWORD, from(99)))
  const cookie = cookies.find((each) => each.startsWith('daybook_panel_device='))
  if (cookie === undefined) throw new Error('Signing in sets no device cookie')
  return [
    ...others.map(({ email }, nth) => ({
      due: 200 as const,
      ask: () => ask(port, signingIn(email, PASSWORD, from(nth))),
    })),
    { due: 401, ask: () => ask(port, signingIn(others[0]!.email, WRONG, from(50))) },
    { due: 200, ask: () => ask(port, { ...signingIn(owner.email, PASSWORD, within(block, 3)), cookie }) },
  ]
}
