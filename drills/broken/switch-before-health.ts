/** Loaded before an agent: a container counts as healthy once it was started. */
import { replaceInSource } from './replace-in-source.ts'

replaceInSource(
  'agent/releases/start.ts',
  'await untilHealthy(ask, { id, of: words, address, service: of.service }, signal)',
  'void untilHealthy',
)
