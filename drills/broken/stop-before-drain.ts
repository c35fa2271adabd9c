/** Loaded before an agent: containers get SIGTERM while they still work on requests. */
import { replaceInSource } from './replace-in-source.ts'

replaceInSource(
  'agent/releases/retire.ts',
  '        drained = await host.proxy.drained(',
  '        await Promise.all(containers.map(({ Id }) => stopContainer(ask, Id, stopSeconds)))\n        drained = await host.proxy.drained(',
)
