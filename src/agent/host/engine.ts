/** Finds the container engine of a host, again and again: it may come later, be restarted or be updated. */
import { access, constants } from 'node:fs/promises'
import { z } from 'zod'
import { engineDownload, engineUpload } from '../engine-archive.ts'
import type { EngineDownload, EngineUpload } from '../engine-archive.ts'
import { engineRead } from '../engine-bytes.ts'
import type { EngineRead } from '../engine-bytes.ts'
import { engineCall, engineStream, engineUpgrade } from '../engine-call.ts'
import type { EngineCall, EngineStream, EngineUpgrade } from '../engine-call.ts'
import { TaskFailure } from '../performer.ts'

const USUAL = ['/var/run/docker.sock', '/run/docker.sock']
const OLDEST_API = [1, 41]
const LOOK_MS = 3_000
const OK = 200

const Info = z.object({ ID: z.string(), Driver: z.string(), NCPU: z.int(), ContainersRunning: z.int() })
const Version = z.object({ Version: z.string(), ApiVersion: z.string().regex(/^\d+\.\d+$/) })

export interface EngineInfo {
  readonly id: string
  readonly version: string
  readonly api: string
  readonly driver: string
  readonly containers: number
}

/** What is missing, and what its operator can do. */
export interface EngineProblem {
  readonly code: 'NO_SOCKET' | 'NO_PERMISSION' | 'TOO_OLD' | 'ENGINE_DOWN'
  readonly message: string
  readonly remedy: string
}

export type FoundEngine = { readonly info: EngineInfo } | { readonly problem: EngineProblem }

export interface HostEngine {
  readonly call: EngineCall
  readonly stream: EngineStream
  readonly read: EngineRead
  readonly upgrade: EngineUpgrade
  readonly download: EngineDownload
  readonly upload: EngineUpload
  look(): Promise<FoundEngine>
  /** Whether tasks can be done by it now: at a fraction of the cost of a look. */
  answers(): Promise<boolean>
}

/** @param dockerHost `unix://` and a path; without it, the usual sockets */
export function hostEngine(dockerHost: string | undefined): HostEngine {
  const named = /^unix:\/\/(\/.+)$/.exec(dockerHost ?? '')?.[1]
  const paths = named === undefined ? USUAL : [named]
  async function socket(): Promise<string> {
    const place = await socketIn(paths)
    if ('problem' in place) throw new TaskFailure('NO_ENGINE', place.problem.message)
    return place.socketPath
  }
  return {
    call: async (...asked) => engineCall(await socket())(...asked),
    stream: async (...asked) => engineStream(await socket())(...asked),
    read: async (...asked) => engineRead(await socket())(...asked),
    upgrade: async (...asked) => engineUpgrade(await socket())(...asked),
    download: async (...asked) => engineDownload(await socket())(...asked),
    upload: async (...asked) => engineUpload(await socket())(...asked),
    async look() {
      const place = await socketIn(paths)
      return 'problem' in place ? place : lookAt(engineCall(place.socketPath))
    },
    async answers() {
      const place = await socketIn(paths)
      return 'socketPath' in place && isUsable(engineCall(place.socketPath))
    },
  }
}

async function socketIn(paths: readonly string[]): Promise<{ socketPath: string } | { problem: EngineProblem }> {
  let isForbidden = false
  for (const socketPath of paths)
    try {
      await access(socketPath, constants.R_OK | constants.W_OK)
      return { socketPath }
    } catch (error) {
      isForbidden ||= (error as NodeJS.ErrnoException).code === 'EACCES'
    }
  return { problem: isForbidden ? forbidden(paths) : missing(paths) }
}

const missing = (paths: readonly string[]): EngineProblem => ({
  code: 'NO_SOCKET',
  message: `No container engine was found at ${paths.join(' or ')}`,
  remedy: 'Install and start Docker, or set DOCKER_HOST=unix:///path/of/its/socket',
})

const forbidden = (paths: readonly string[]): EngineProblem => ({
  code: 'NO_PERMISSION',
  message: `The container engine at ${paths.join(' or ')} may not be used by this account`,
  remedy: 'Add the account to the group docker and sign in again, or run as root',
})

async function lookAt(call: EngineCall): Promise<FoundEngine> {
  const signal = AbortSignal.timeout(LOOK_MS)
  try {
    const asked = ['/info', '/version'].map(async (path) => (await call('GET', path, signal)).body)
    const [info, version] = await Promise.all([asked[0]!.then(Info.parse), asked[1]!.then(Version.parse)])
    if (isOlder(version.ApiVersion)) return { problem: tooOld(version.Version) }
    const { ID: id, Driver: driver, ContainersRunning: containers } = info
    return { info: { id, version: version.Version, api: version.ApiVersion, driver, containers } }
  } catch {
    return { problem: DOWN }
  }
}

/** The answer to a ping names the version in a header. */
async function isUsable(call: EngineCall): Promise<boolean> {
  try {
    const { status, headers = {} } = await call('GET', '/_ping', AbortSignal.timeout(LOOK_MS))
    const api = headers['api-version']
    return status === OK && typeof api === 'string' && !isOlder(api)
  } catch {
    return false
  }
}

function isOlder(api: string): boolean {
  const [major = 0, minor = 0] = api.split('.').map(Number)
  return major < OLDEST_API[0]! || (major === OLDEST_API[0] && minor < OLDEST_API[1]!)
}

const tooOld = (version: string): EngineProblem => ({
  code: 'TOO_OLD',
  message: `The container engine ${version} is older than Docker 20.10`,
  remedy: 'Update Docker to 20.10 or newer',
})

const DOWN: EngineProblem = {
  code: 'ENGINE_DOWN',
  message: 'The container engine does not answer',
  remedy: 'Start Docker, and look at its log',
}
