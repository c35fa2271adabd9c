/** What an agent does: the performers of tasks, and the askers of reads. The panel never loads this file. */
import type { EngineCall } from './engine-call.ts'
import { changePerformers } from './engine/changes.ts'
import { engineAskers } from './engine/lists.ts'
import { prunePerformer } from './engine/prune.ts'
import { setupPerformer } from './host/setup.ts'
import type { AgentHost } from './host/setup.ts'
import type { Asker, Performer } from './performer.ts'
import { inventoryAsker } from './reaper/inventory.ts'
import { reapPerformer } from './reaper/reap.ts'
import { loginAsker } from './registries/login.ts'

export const performersOn = (host: AgentHost): readonly Performer[] => [
  ...changePerformers(host.call),
  prunePerformer(host.call),
  reapPerformer(host.call),
  setupPerformer(host),
]

export const askersOn = (engine: EngineCall): readonly Asker[] => [
  loginAsker,
  inventoryAsker(engine),
  ...engineAskers(engine),
]
