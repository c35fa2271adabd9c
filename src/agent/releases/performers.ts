/** The performers of releases, and of the images that they are pulled from. */
import type { AgentHost } from '../host/setup.ts'
import type { Performer } from '../performer.ts'
import { POLICY_FILE } from './network-range.ts'
import { NO_PROXY } from './proxy-switch.ts'
import type { ProxySwitch } from './proxy-switch.ts'
import { pullPerformer } from './pull.ts'
import { removePerformer } from './remove.ts'
import { replacePerformer } from './replace.ts'
import { retirePerformer } from './retire.ts'
import { startPerformer } from './start.ts'

interface Options {
  /** Default: the host has none. */
  readonly proxy?: ProxySwitch
  readonly policyPath?: string
}

export function releasePerformers(agentHost: AgentHost, options: Options = {}): readonly Performer[] {
  const host = { ...agentHost, proxy: NO_PROXY, policyPath: POLICY_FILE, ...options }
  return [
    pullPerformer(host),
    startPerformer(host),
    retirePerformer(host),
    removePerformer(host),
    replacePerformer(host),
  ]
}
