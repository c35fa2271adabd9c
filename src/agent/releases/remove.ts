/** Removes everything of a workload from the host. */
import { z } from 'zod'
import { releaseRemove } from '../../tasks/releases.ts'
import { askEngine, GONE } from '../engine/ask-engine.ts'
import type { AskEngine } from '../engine/ask-engine.ts'
import { performer, TaskFailure } from '../performer.ts'
import type { Performer } from '../performer.ts'
import { removeSources } from '../sources/source-directories.ts'
import { containersWith } from './containers.ts'
import type { ReleaseHost } from './host.ts'
import { imagesOf, removeImages } from './images.ts'
import { free } from './networks.ts'
import { endContainers, lookAt } from './retire.ts'
import { labelsOfWorkload, ownersOfWorkload } from './template.ts'

const CONFLICT = 409
const Volumes = z.object({ Volumes: z.array(z.object({ Name: z.string() })).nullish() })

export const removePerformer = (host: ReleaseHost): Performer =>
  performer(releaseRemove, async (work) => {
    const { payload, signal } = work
    const ask = askEngine(host.call, signal)
    const { installation, workload: owner, proxyRevision: revision } = payload
    const nothing = { release: null, hosts: [], listeners: [], backends: [] }
    if (revision !== null) await host.proxy.put({ installation, owner, revision, ...nothing }, signal)
    const labels = labelsOfWorkload(payload)
    const containers = await lookAt(ask, await containersWith(ask, labels))
    await endContainers({ host, ask, work }, containers, payload.stopSeconds)
    await free(host, payload.installation, (owner) => owner.startsWith(ownersOfWorkload(payload.workload)), signal)
    const imageIds = [...payload.imageIds, ...(await imagesOf(ask, payload.workload))]
    const freedBytes = await removeImages(ask, payload.workload, imageIds)
    await removeSources(host.directory, payload.workload)
    const volumes = await volumesWith(ask, labels)
    if (!payload.deleteVolumes) return { freedBytes, keptVolumes: volumes }
    for (const name of volumes) await removeVolume(ask, name)
    return { freedBytes, keptVolumes: [] }
  })

async function volumesWith(ask: AskEngine, labels: Readonly<Record<string, string>>): Promise<string[]> {
  const filters = JSON.stringify({ label: Object.entries(labels).map(([name, value]) => `${name}=${value}`) })
  const { Volumes: all } = Volumes.parse((await ask('GET', `/volumes?filters=${encodeURIComponent(filters)}`)).body)
  return (all ?? []).map(({ Name }) => Name)
}

async function removeVolume(ask: AskEngine, name: string): Promise<void> {
  const { status } = await ask('DELETE', `/volumes/${encodeURIComponent(name)}`, [GONE, CONFLICT])
  if (status === CONFLICT)
    throw new TaskFailure('IN_USE', `A container that is not of the workload uses its volume ${name}: remove it first`)
}
