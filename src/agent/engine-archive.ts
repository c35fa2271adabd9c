/** Archives of any size of what is in containers. Source: Docker Engine API 1.41, ContainerArchive, PutContainerArchive. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { answered, asking } from './engine-call.ts'

const OK_MAX = 299
/** The engine refuses an archive while it is sent: its answer says more than the broken connection. */
const ANSWER_MS = 2_000

/**
 * @param take reads the archive to its end; it is not called if the engine refuses
 * @returns the status @throws TaskFailure as `EngineCall`, and what `take` throws
 */
export type EngineDownload = (
  path: string,
  signal: AbortSignal,
  take: (archive: AsyncIterable<Uint8Array>) => Promise<void>,
) => Promise<number>

/** @returns the status @throws TaskFailure as `EngineCall`, and what the archive throws */
export type EngineUpload = (path: string, signal: AbortSignal, archive: AsyncIterable<Uint8Array>) => Promise<number>

export const engineDownload =
  (socketPath: string): EngineDownload =>
  (path, signal, take) =>
    answered(signal, async () => {
      const { asked, response: coming } = asking(socketPath, 'GET', path, signal)
      asked.end()
      const response = await coming
      if (response.statusCode! > OK_MAX) response.destroy()
      else await take(response)
      return response.statusCode!
    })

export const engineUpload =
  (socketPath: string): EngineUpload =>
  (path, signal, archive) =>
    answered(signal, async () => {
      const how = { type: 'application/x-tar' }
      const { asked, response: coming, reject } = asking(socketPath, 'PUT', path, signal, how)
      pipeline(Readable.from(archive), asked).catch((error: unknown) => {
        setTimeout(() => reject(error), ANSWER_MS)
      })
      const response = await coming
      response.resume()
      return response.statusCode!
    })
