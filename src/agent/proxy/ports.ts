/** Whether the listeners that a workload wants are free on the host. */
import type { ProxyFragment } from '../../tasks/proxy.ts'
import { TaskFailure } from '../performer.ts'
import { checkBeside, checkForeign, listenersOf } from './conflicts.ts'
import type { Listener } from './conflicts.ts'
import { isHere, listening } from './foreign.ts'
import { ownerKey } from './state.ts'
import type { ProxyState } from './state.ts'

interface Served {
  readonly fragments: ProxyState['fragments']
  readonly httpPort: number
  isRunning(): Promise<boolean>
}

/** @throws TaskFailure as the kind `proxy.put` says */
export async function checkPorts(fragment: ProxyFragment, { fragments, httpPort, isRunning }: Served): Promise<void> {
  const others = [...fragments].flatMap(([key, each]) => (key === ownerKey(fragment.owner) ? [] : [each]))
  checkBeside(fragment, others, httpPort)
  const own = (await isRunning()) ? listenersOf(fragments.values(), httpPort) : []
  const isOwn = ({ ip, port }: Listener) => own.some((each) => each.ip === ip && each.port === port)
  const wanted = listenersOf([fragment, ...others], httpPort).filter((each) => !isOwn(each))
  if (wanted.length === 0) return
  checkForeign(
    wanted,
    (await listening()).filter((each) => !isOwn(each)),
  )
  for (const { ip } of wanted)
    if (ip !== null && !(await isHere(ip)))
      throw new TaskFailure('NOT_AN_ADDRESS_HERE', `The host does not have the address ${ip}`)
}
