/** Has the engine load an archive of `docker save`. Source: Docker Engine API 1.41, ImageLoad. */
import { z } from 'zod'
import type { AgentHost } from '../host/setup.ts'
import { TaskFailure } from '../performer.ts'
import { refusedImage } from './image-archive.ts'
import type { ImageArchive } from './image-archive.ts'

const Told = z.object({ stream: z.string().optional(), error: z.string().optional() })
const LOADED = /^Loaded image(?: ID)?: (\S+)\s*$/

/**
 * @param loaded gets the names, and ids of what has no name, as the engine tells them
 * @throws TaskFailure REFUSED_IMAGE, and as the calls do
 */
export async function loadArchive(
  { call, stream }: Pick<AgentHost, 'call' | 'stream'>,
  archive: ImageArchive,
  signal: AbortSignal,
  loaded: string[],
): Promise<void> {
  let isRefused = false
  const heard = async (told: unknown) => {
    const { stream: text = '', error } = Told.safeParse(told).data ?? {}
    isRefused ||= error !== undefined
    const name = LOADED.exec(text)?.[1]
    if (name !== undefined) loaded.push(name)
  }
  try {
    const status = await stream('/images/load', signal, heard, archive.read())
    isRefused ||= status >= 300
  } catch (error) {
    // An engine that refuses an archive may close the connection before it has read all of it.
    const isDown = error instanceof TaskFailure && (await call('GET', '/_ping', signal)).status !== 200
    if (!(error instanceof TaskFailure) || isDown) throw error
    isRefused = true
  }
  if (isRefused) throw refusedImage('The container engine cannot load the file of the image')
}
