/** What an agent does: the performers of tasks, the askers of reads, and the planners. The panel never loads this file. */
import { execPerformer } from './applications/exec.ts'
import { logsFollower } from './applications/follow.ts'
import { statsAsker } from './applications/stats.ts'
import { tailAsker } from './applications/tail.ts'
import { buildPerformer } from './builds/build.ts'
import type { EngineCall } from './engine-call.ts'
import { changePerformers } from './engine/changes.ts'
import { ensurePerformer } from './engine/ensure.ts'
import { engineAskers } from './engine/lists.ts'
import { prunePerformer } from './engine/prune.ts'
import type { HostEngine } from './host/engine.ts'
import { setupPerformer } from './host/setup.ts'
import type { AgentHost } from './host/setup.ts'
import type { Mesh } from './mesh/mesh.ts'
import { panelUpdatePerformer } from './panel-update/performer.ts'
import type { Asker, Follower, Performer } from './performer.ts'
import type { Planner } from './plans.ts'
import type { Proxy } from './proxy/contract.ts'
import { proxyPerformer } from './proxy/performer.ts'
import { inventoryAsker } from './reaper/inventory.ts'
import { reapPerformer } from './reaper/reap.ts'
import { registriesPlanner } from './registries/hosted.ts'
import { loginAsker } from './registries/login.ts'
import { releasePerformers } from './releases/performers.ts'
import { fetchPerformer } from './sources/fetch.ts'
import { volumeCopyPerformer } from './volumes/copy.ts'

export const performersOn = (host: AgentHost & { readonly proxy: Proxy }): readonly Performer[] => [
  ...changePerformers(host.call),
  ensurePerformer(host),
  prunePerformer(host.call),
  reapPerformer(host.call),
  setupPerformer(host),
  panelUpdatePerformer(host),
  execPerformer(host),
  ...releasePerformers(host, { proxy: host.proxy }),
  volumeCopyPerformer(host),
  proxyPerformer(host.proxy),
  fetchPerformer(host),
  buildPerformer(host),
]

export const askersOn = (engine: EngineCall): readonly Asker[] => [
  loginAsker,
  inventoryAsker(engine),
  ...engineAskers(engine),
]

/** Those of the engine, and of what its containers say and use. */
export const allAskersOn = (host: Pick<HostEngine, 'call' | 'read'>): readonly Asker[] => [
  ...askersOn(host.call),
  tailAsker(host),
  statsAsker(host),
]

export const followersOn = (host: Pick<HostEngine, 'call' | 'read'>): readonly Follower[] => [logsFollower(host)]

export const plannersOn = (engine: EngineCall, mesh: Pick<Mesh, 'planner'>): readonly Planner[] => [
  mesh.planner,
  registriesPlanner(engine),
]
