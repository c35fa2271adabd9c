/** Loaded before an agent: former containers get SIGTERM as soon as others are healthy, while they still get requests. */
import { replaceInSource } from './replace-in-source.ts'

replaceInSource(
  'agent/releases/start.ts',
  '    await allRunning(ask, started)',
  `    const { stopContainer } = await import('./containers.ts')
    const { labelsOfWorkload } = await import('./template.ts')
    for (const { Id } of await containersWith(ask, labelsOfWorkload(payload)))
      if (!started.some(({ containerId }) => containerId === Id)) await stopContainer(ask, Id, 1)
    await allRunning(ask, started)`,
)
