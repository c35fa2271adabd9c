/** Replaces the agent by another release, and restarts. The former one comes back if the new one does not reach the panel. */
import type { KeyObject } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { compareVersions } from '#kernel/lib/version-order'
import { EXECUTABLE_BYTES_MAX, isSignedRelease } from '../../tasks/agent-release.ts'
import { agentUpdate } from '../../tasks/agent-update.ts'
import { performer, TaskFailure } from '../performer.ts'
import type { Performer, Work } from '../performer.ts'
import { runProgram } from '../run-program.ts'
import { downloadExecutable } from './download.ts'
import type { ReleaseSource } from './download.ts'
import { EXECUTABLE, syncFile } from './executables.ts'
import type { Executables } from './executables.ts'

/** The argument with which an executable checks itself. */
export const SELF_TEST = 'self-test'
/** What an agent that updates itself performs beside others. */
export const UPDATE_KINDS = [agentUpdate] as const
const SWAPPED = 'swapped'
const OWNER_RUNS = 0o700

export interface UpdateDependencies extends ReleaseSource {
  /** Of this process. */
  readonly version: string
  /** Built into the executable of this process. */
  readonly releaseKey: KeyObject
  readonly executables: Executables
  /** Ends this process, so that it is started again. */
  restart(): void
}

type Update = Work<{ readonly version: string; readonly sha256: string; readonly signature: string }>

export const updatePerformer = (parts: UpdateDependencies): Performer =>
  performer(agentUpdate, async (work) => {
    const { payload, made, note, say, signal } = work
    if (payload.version === parts.version) return { version: parts.version }
    if (made.has(SWAPPED))
      throw new TaskFailure('TAKEN_BACK', 'The new agent did not reach the panel in time, so the former one runs on')
    refuseUntrusted(parts, payload)
    await say(`Downloading agent ${payload.version}`)
    const name = await fetchExecutable(parts, work)
    await checkItself(parts, name, work)
    signal.throwIfAborted()
    await note(SWAPPED, name)
    await parts.executables.swapIn(name)
    await say(`Restarting as agent ${payload.version}`)
    parts.restart()
    return untilStopped(signal)
  })

/** @throws TaskFailure REFUSED_RELEASE */
function refuseUntrusted({ version: own, arch, releaseKey }: UpdateDependencies, payload: Update['payload']): void {
  const { version, sha256, signature } = payload
  if (!isSignedRelease({ version, arch, sha256 }, signature, releaseKey))
    throw new TaskFailure('REFUSED_RELEASE', 'The release is not signed by the key that this agent trusts')
  // A signature stays valid, so an old release with a known fault could be brought back.
  if (compareVersions(version, own) < 0)
    throw new TaskFailure('REFUSED_RELEASE', `Release ${version} is older than this agent, ${own}`)
}

/** @returns its name, once the disk has it */
async function fetchExecutable(parts: UpdateDependencies, { payload, signal }: Update): Promise<string> {
  const { version, sha256 } = payload
  const { pathOf } = parts.executables
  const name = `${EXECUTABLE}-${version}-${sha256.slice(0, 16)}`
  const [compressed, part] = [pathOf(`${EXECUTABLE}.gz`), pathOf(`${EXECUTABLE}.part`)]
  try {
    const file = await open(compressed, 'w', OWNER_RUNS)
    await downloadExecutable(parts, sha256, file, signal).finally(() => file.close())
    const out = await open(part, 'w', OWNER_RUNS)
    await pipeline(createReadStream(compressed), createGunzip(), bounded, out.createWriteStream(), { signal })
    await chmod(part, OWNER_RUNS)
    await syncFile(part)
    await rename(part, pathOf(name))
  } finally {
    await Promise.all([compressed, part].map((path) => rm(path, { force: true })))
  }
  return name
}

async function* bounded(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.length
    if (bytes > EXECUTABLE_BYTES_MAX) throw new TaskFailure('REFUSED_RELEASE', 'The executable is too large')
    yield piece
  }
}

/** Whether it runs on this host at all. @throws TaskFailure CANNOT_RUN */
async function checkItself({ executables }: UpdateDependencies, name: string, work: Update): Promise<void> {
  const code = await runProgram({ command: executables.pathOf(name), args: [SELF_TEST] }, work)
  if (code !== 0) throw new TaskFailure('CANNOT_RUN', 'The new agent does not run on this host')
}

/** The next process goes on with the task. @throws the reason of the signal */
async function untilStopped(signal: AbortSignal): Promise<never> {
  await new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', resolve, { once: true })
  })
  throw signal.reason
}
