/** Objects on a host that nothing expects are asked to be removed. */
import { reaps } from '#panel/reaper/decider'
import { told } from './panel-people.ts'
import type { PanelTeller } from './panel-people.ts'

const SERVER = '01890000-0000-7000-8000-00000000000a'
const SCAN = '01890000-0000-7000-8000-00000000000c'
const CONTAINER = 'c0ffee'.padEnd(64, '0')

export const isReaped = (teller: PanelTeller): Promise<unknown> =>
  told(teller, (unit) => {
    const reapId = unit.newId()
    const items = [{ serverId: SERVER, kind: 'CONTAINER', id: CONTAINER }]
    return unit.decide(reaps, reapId, 'Ask', {
      reapId,
      scanId: SCAN,
      items,
      pruneBuildCache: true,
      truncateLogs: false,
    })
  })
