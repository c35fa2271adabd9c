/** Leads the requests of a host to a release. */
import { proxyPut } from '../../tasks/proxy.ts'
import { performer } from '../performer.ts'
import type { Performer } from '../performer.ts'
import type { Proxy } from './contract.ts'

export const proxyPerformer = (proxy: Pick<Proxy, 'put'>): Performer =>
  performer(proxyPut, ({ payload, signal }) => proxy.put(payload, signal))
