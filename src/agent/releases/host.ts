/** What releases need of a host. */
import type { AgentHost } from '../host/setup.ts'
import type { ProxySwitch } from './proxy-switch.ts'

export interface ReleaseHost extends Pick<AgentHost, 'call' | 'read' | 'directory'> {
  readonly proxy: ProxySwitch
  /** What its owner allows. */
  readonly policyPath: string
}
