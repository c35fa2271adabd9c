/** Downloads the executable of a release: what was cut goes on where it was. */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { EXECUTABLE_BYTES_MAX } from '../../tasks/agent-release.ts'
import type { AgentArchitecture } from '../../tasks/agent-release.ts'
import { RUN_HEADER, SERVER_HEADER } from '../../tasks/protocol.ts'
import { backOff } from '../back-off.ts'
import type { BackOffLimits } from '../back-off.ts'
import type { AgentConfig } from '../config.ts'
import { TaskFailure } from '../performer.ts'

export interface ReleaseSource {
  readonly config: Pick<AgentConfig, 'panelUrl' | 'serverId' | 'token'>
  readonly run: string
  readonly arch: AgentArchitecture
  readonly backOff?: BackOffLimits | undefined
}

/** @param file empty. @throws TaskFailure OTHER_RELEASE | NOT_WRITTEN | AGENT_NOT_BUILT · the reason of the signal */
export async function downloadExecutable(
  source: ReleaseSource,
  sha256: string,
  file: FileHandle,
  signal: AbortSignal,
): Promise<void> {
  const hash = createHash('sha256')
  const pause = backOff(source.backOff)
  let at = 0
  for (;;) {
    signal.throwIfAborted()
    try {
      for await (const piece of await piecesFrom(source, sha256, at, signal)) {
        if (at + piece.length > EXECUTABLE_BYTES_MAX) throw otherRelease()
        await file.appendFile(piece).catch(rejectUnwritten)
        hash.update(piece)
        at += piece.length
        pause.reset()
      }
      break
    } catch (error) {
      if (error instanceof TaskFailure) throw error
      await pause.wait(signal)
    }
  }
  if (hash.digest('hex') !== sha256) throw otherRelease()
}

/** @throws TaskFailure for an answer that stays the same · Error for another one */
async function piecesFrom(
  { config: { panelUrl, serverId, token }, run, arch }: ReleaseSource,
  sha256: string,
  at: number,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const tag = `"${sha256}"`
  const response = await fetch(`${panelUrl}/api/agent/binary?arch=${arch}`, {
    headers: {
      authorization: `Bearer ${token}`,
      [SERVER_HEADER]: serverId,
      [RUN_HEADER]: run,
      ...(at > 0 && { range: `bytes=${at}-`, 'if-range': tag }),
    },
    redirect: 'error',
    signal,
  })
  const isWanted = response.headers.get('etag') === tag && response.status === (at > 0 ? 206 : 200)
  if (isWanted) return response.body as unknown as AsyncIterable<Uint8Array>
  await response.body?.cancel()
  const code = response.headers.get('error-code')
  if (response.ok) throw otherRelease()
  if (code === 'AGENT_NOT_BUILT') throw new TaskFailure(code, 'The panel has no agent for this host any more')
  throw new Error(`The panel answered ${response.status}`)
}

const rejectUnwritten = (error: NodeJS.ErrnoException): never => {
  throw new TaskFailure('NOT_WRITTEN', `The executable cannot be written: ${error.code ?? 'no reason given'}`)
}

const otherRelease = (): TaskFailure =>
  new TaskFailure('OTHER_RELEASE', 'The panel sends another executable than the one that the update names')
