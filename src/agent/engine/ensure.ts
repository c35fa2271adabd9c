/** Brings an image to the host, and gives it its name. */
import { imagesEnsure } from '../../tasks/engine.ts'
import type { AgentHost } from '../host/setup.ts'
import { performer, TaskFailure } from '../performer.ts'
import type { Performer } from '../performer.ts'
import { refusedImage } from './image-archive.ts'
import { giveName, imageIdOf, splitName } from './image-names.ts'
import { loadImage } from './load-image.ts'
import { pullImage } from './pull-image.ts'

const BRING = { PULL: pullImage, TRANSFER: loadImage } as const

export const ensurePerformer = (host: AgentHost): Performer =>
  performer(imagesEnsure, async (work) => {
    const { name, digest, from } = work.payload
    const find = (what: string) => imageIdOf(host.call, what, work.signal)
    const findWanted = async () => (await find(digest)) ?? find(`${splitName(name).repo}@${digest}`)
    const [present, named] = [await findWanted(), await find(name)]
    // Others may run containers by this name.
    if (named !== undefined && named !== present)
      throw new TaskFailure('IMAGE_NAME_TAKEN', `Another image on the host has the name ${name}: rename or remove it`)
    if (present === undefined) await BRING[from](host, work)
    const imageId = present ?? (await findWanted())
    if (imageId === undefined) throw refusedImage(`What came as ${name} is not the image ${digest}`)
    await giveName(host.call, imageId, name, work.signal)
    return { imageId }
  })
