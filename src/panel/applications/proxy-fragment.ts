/** What the proxy of its server is told of an application. */
import type { ProxyFragment } from '../../tasks/proxy.ts'
import type { ReleasePlan } from '../deployments/plan.ts'
import type { Application } from './decider.ts'

export const fragmentOf = (
  _application: Application,
  _plan: ReleasePlan | undefined,
): Pick<ProxyFragment, 'hosts' | 'listeners' | 'backends'> => ({ hosts: [], listeners: [], backends: [] })
