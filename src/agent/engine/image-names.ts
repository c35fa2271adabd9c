/** Images of the engine by their names and ids. */
import { z } from 'zod'
import { ImageId } from '../../tasks/engine.ts'
import type { EngineCall } from '../engine-call.ts'
import { TaskFailure } from '../performer.ts'

const GONE = 404

const Image = z.object({ Id: ImageId })

/** @returns undefined if the host does not have it */
export async function imageIdOf(call: EngineCall, name: string, signal: AbortSignal): Promise<string | undefined> {
  const { status, body } = await call('GET', `/images/${encodeURIComponent(name)}/json`, signal)
  if (status === GONE) return undefined
  const image = Image.safeParse(body)
  if (status === 200 && image.success) return image.data.Id
  throw new TaskFailure('ENGINE_REFUSED', 'The container engine did not show an image')
}

/** A second time changes nothing. The image that had the name loses it. */
export async function giveName(call: EngineCall, imageId: string, name: string, signal: AbortSignal): Promise<void> {
  const query = new URLSearchParams(splitName(name))
  const { status } = await call('POST', `/images/${encodeURIComponent(imageId)}/tag?${query.toString()}`, signal)
  if (status >= 300) throw new TaskFailure('ENGINE_REFUSED', `The container engine did not name an image ${name}`)
}

/** A host may have a port, so the last colon counts. */
export function splitName(name: string): { repo: string; tag: string } {
  const at = name.lastIndexOf(':')
  return { repo: name.slice(0, at), tag: name.slice(at + 1) }
}
