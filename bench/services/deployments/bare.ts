/**
 * What a person would do by hand with the engine: clone, build, run, and wait until the container answers. It moves no traffic,
 * keeps no history, hides no secret and clears up nothing.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { get, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { TestEngine } from '../../../test/support/docker-engine.ts'

const LOOK_MS = 5
const WITHIN_MS = 60_000
const ARCHIVE_BYTES_MAX = 64 * 2 ** 20
const NETWORK = 'by-hand'
const run = promisify(execFile)

/** Resolves when it is answered there. @throws Error after a minute */
export async function untilAnswers(url: string, wanted: string): Promise<void> {
  for (const late = performance.now() + WITHIN_MS; performance.now() < late; await pause(LOOK_MS))
    if ((await bodyOf(url)) === wanted) return
  throw new Error(`${url} does not answer ${wanted}`)
}

const bodyOf = (url: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const asked = get(url, { agent: false, timeout: 1_000 }, (response) => {
      text(response).then(resolve, () => resolve(undefined))
    })
    asked.on('error', () => resolve(undefined)).on('timeout', () => asked.destroy())
  })

/** @returns what builds the newest version by hand and runs it, and what runs an image */
export function byHand({ api, socketPath }: Pick<TestEngine, 'api' | 'socketPath'>, repository: string, port: number) {
  async function build(directory: string, image: string): Promise<void> {
    const options = { encoding: 'buffer', maxBuffer: ARCHIVE_BYTES_MAX } as const
    const { stdout: archive } = await run('tar', ['-C', directory, '--exclude=.git', '-c', '.'], options)
    const said = await new Promise<string>((resolve, reject) => {
      const headers = { 'content-type': 'application/x-tar' }
      request({ socketPath, method: 'POST', path: `/v1.41/build?version=2&t=${image}`, headers, agent: false })
        .on('response', (response) => {
          text(response).then(resolve, reject)
        })
        .on('error', reject)
        .end(archive)
    })
    if (said.includes('"error"')) throw new Error(said)
  }

  // A network that is not the engine's own takes longer to join, and applications are kept apart by theirs.
  let made: Promise<unknown> | undefined

  /** @returns the id of the container, whose address answers */
  async function start(image: string, wanted: string): Promise<string> {
    await (made ??= api('POST', '/networks/create', { Name: NETWORK, CheckDuplicate: true }))
    const limits = { Memory: 256 * 2 ** 20, NetworkMode: NETWORK }
    const { Id } = await api('POST', '/containers/create', { Image: image, HostConfig: limits })
    await api('POST', `/containers/${Id}/start`)
    const { NetworkSettings } = await api('GET', `/containers/${Id}/json`)
    await untilAnswers(`http://${NetworkSettings.Networks[NETWORK].IPAddress}:${port}/index.html`, wanted)
    return Id
  }

  return {
    start,
    async deploy(image: string, wanted: string): Promise<string> {
      const directory = await mkdtemp(join(tmpdir(), 'by-hand-'))
      try {
        await run('git', ['clone', '--quiet', '--depth', '1', repository, directory])
        await build(directory, image)
        return await start(image, wanted)
      } finally {
        await rm(directory, { recursive: true })
      }
    },
    remove: (id: string) => api('DELETE', `/containers/${id}?force=true`),
  }
}
