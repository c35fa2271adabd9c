/** The release of the agent that this panel hands out. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServedFile } from '#kernel/http/file-answer'
import { reject } from '#kernel/lib/rejection'
import { serviceKey } from '#kernel/lib/services'
import { AgentRelease, RELEASE_FILE } from '../../tasks/agent-release.ts'
import type { AgentArchitecture } from '../../tasks/agent-release.ts'

const DOWNLOADS_MAX = 8
const AGAIN_SECONDS = '10'

export interface AgentReleases {
  /** Undefined: none is built. */
  find(): Promise<AgentRelease | undefined>
  /** @throws Rejection 503 AGENT_NOT_BUILT */
  file(arch: AgentArchitecture): Promise<ServedFile>
  /** @throws Rejection 503 BUSY at the first piece, beyond 8 downloads of this process at once */
  download(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
}

/** @param directory as `npm run agent:build` writes it. It is read at each call, so that a new release needs no restart */
export function agentReleasesIn(directory: string): AgentReleases {
  let open = 0
  const find = () => releaseIn(directory)
  return {
    find,
    async file(arch) {
      const { file, bytes, sha256 } = (await find())?.executables[arch] ?? rejectNotBuilt()
      return { path: join(directory, file), bytes, sha256 }
    },
    async *download(bytes) {
      if (open >= DOWNLOADS_MAX)
        reject('unavailable', `The panel is sending ${open} agents: try again`, 'BUSY', {
          'Retry-After': AGAIN_SECONDS,
        })
      open += 1
      try {
        yield* bytes
      } finally {
        open -= 1
      }
    },
  }
}

/** @throws Error for a damaged file */
async function releaseIn(directory: string): Promise<AgentRelease | undefined> {
  const text = await readFile(join(directory, RELEASE_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  return text === undefined ? undefined : AgentRelease.parse(JSON.parse(text))
}

export const agentReleases = serviceKey<AgentReleases>('releases of the agent', {
  find: async () => undefined,
  file: async () => rejectNotBuilt(),
  download: (bytes) => bytes,
})

/** @throws Rejection 503 AGENT_NOT_BUILT */
export const rejectNotBuilt = (): never =>
  reject(
    'unavailable',
    'No agent is built for this; ask the operator of the panel to run "npm run agent:build"',
    'AGENT_NOT_BUILT',
  )
