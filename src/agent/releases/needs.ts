/** What containers of a release need of their host, beside a network. */
import { z } from 'zod'
import { LABELS } from '../../tasks/labels.ts'
import type { Release } from '../../tasks/releases.ts'
import { GONE } from '../engine/ask-engine.ts'
import type { AskEngine } from '../engine/ask-engine.ts'
import { Labels } from '../engine/owners.ts'
import { TaskFailure } from '../performer.ts'
import { sliceOf } from './slice.ts'
import { labelsOfVolume } from './template.ts'

const Info = z.object({ CgroupDriver: z.string().optional() })

/** Does not fail: containers run without a slice too. */
export async function sliceOn(ask: AskEngine): Promise<string | undefined> {
  try {
    return await sliceOf(Info.parse((await ask('GET', '/info')).body).CgroupDriver)
  } catch {
    return undefined
  }
}

/** @throws TaskFailure IMAGE_GONE */
export async function refuseMissingImages(ask: AskEngine, { services }: Release): Promise<void> {
  for (const imageId of new Set(services.map((service) => service.imageId)))
    if ((await ask('GET', `/images/${imageId}/json`, [GONE])).status === GONE) throw imageGone(imageId)
}

export const imageGone = (imageId: string): TaskFailure =>
  new TaskFailure('IMAGE_GONE', `The host does not have the image ${imageId} any more`)

const Volume = z.object({ Labels })

/** A volume that a mount makes has no labels. @throws TaskFailure VOLUME_TAKEN */
export async function makeVolumes(ask: AskEngine, release: Release): Promise<void> {
  const labels = labelsOfVolume(release)
  const all = release.services.flatMap(({ volumes }) => volumes.map(({ volume }) => volume))
  for (const name of new Set(all)) {
    const { body } = await ask('POST', '/volumes/create', [], { Name: name, Driver: 'local', Labels: labels })
    const own = Volume.parse(body).Labels
    const isOwn = [LABELS.installation, LABELS.workload].every((label) => own?.[label] === labels[label])
    if (!isOwn) throw new TaskFailure('VOLUME_TAKEN', `The volume ${name} on the host belongs to something else`)
  }
}
