/** Ends the containers of a deployment, once the proxy has no session to them or their time is over. */
import { releaseRetire } from '../../tasks/releases.ts'
import { hiddenValues } from '../applications/hidden-values.ts'
import { askEngine } from '../engine/ask-engine.ts'
import type { AskEngine } from '../engine/ask-engine.ts'
import { performer } from '../performer.ts'
import type { Performer, Work } from '../performer.ts'
import { tellLog } from './container-log.ts'
import { containersWith, look, removeContainer, stopContainer } from './containers.ts'
import type { Listed, Seen } from './containers.ts'
import type { ReleaseHost } from './host.ts'
import { removeImages } from './images.ts'
import { free } from './networks.ts'
import { labelsOfDeployment, ownersOf } from './template.ts'

export const retirePerformer = (host: ReleaseHost): Performer =>
  performer(
    releaseRetire,
    async (work) => {
      const { payload, signal, say } = work
      const ask = askEngine(host.call, signal)
      const containers = await lookAt(ask, await containersWith(ask, labelsOfDeployment(payload)))
      const { deploymentId, drainSeconds, stopSeconds } = payload
      let drained = { drainedMs: 0, cut: 0 }
      if (containers.length > 0) {
        drained = await host.proxy.drained({ release: deploymentId, seconds: drainSeconds, signal })
        await say(`Drained after ${drained.drainedMs} ms, ${drained.cut} connections were cut`, 'STEP')
      }
      await endContainers({ host, ask, work }, containers, stopSeconds)
      await free(host, payload.installation, (owner) => owner.startsWith(ownersOf(payload)), signal)
      const freedBytes = await removeImages(ask, payload.workload, payload.imageIds, deploymentId)
      return { ...drained, freedBytes }
    },
    { redacts: hiddenValues },
  )

export async function lookAt(ask: AskEngine, listed: readonly Listed[]): Promise<Seen[]> {
  const all = await Promise.all(listed.map(({ Id }) => look(ask, Id)))
  return all.flatMap((seen) => seen ?? [])
}

interface Ending {
  readonly host: ReleaseHost
  readonly ask: AskEngine
  readonly work: Work<unknown>
}

/** They stop together. What each has said last is told before it goes. */
export async function endContainers(
  { host, ask, work }: Ending,
  containers: readonly Seen[],
  stopSeconds: number,
): Promise<void> {
  await Promise.all(containers.map(({ Id }) => stopContainer(ask, Id, stopSeconds)))
  for (const seen of containers) {
    await tellLog(host, ask, work, seen)
    await removeContainer(ask, seen.Id)
  }
}
