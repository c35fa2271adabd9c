/** Networks of environments on an engine that filters: containers reach those of their own environment alone. */
import { afterAll, expect, test } from 'vitest'
import { uuidv7 } from '#kernel/lib/uuid'
import {
  health,
  HTTP,
  INSTALLATION,
  makeAppImage,
  releaseHost,
  releaseOf,
  service,
} from '../../support/agent/release-host.ts'
import { noEngine, startEngine } from '../../support/docker-engine.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const directory = scratchOfFile()
const engine = noEngine === undefined ? await startEngine({ filters: true }) : undefined
const image = engine ? await makeAppImage(engine, 'app') : ''
afterAll(() => engine?.stop())
const { perform } = releaseHost(engine?.socketPath ?? '/nowhere', { directory })

async function codeInside(id: string, Cmd: readonly string[]): Promise<number> {
  const { Id } = await engine!.api('POST', `/containers/${id}/exec`, { Cmd, AttachStdout: true })
  await engine!.api('POST', `/exec/${Id}/start`, {})
  return (await engine!.api('GET', `/exec/${Id}/json`)).ExitCode
}

test.skipIf(noEngine)('containers of one environment reach each other, and not those of another one', async () => {
  // The agent is not in the network namespace of this engine, so it looks from inside.
  const asksItself = health({ kind: 'COMMAND', command: ['wget', '-qO-', `http://127.0.0.1:${HTTP}/`] })
  const release = (more: object = {}) => releaseOf([service(image, { health: asksItself, aliases: ['shop'] })], more)
  const first = release()
  const { environmentId } = first
  const [near, far] = [release({ environmentId, workload: { kind: 'PREVIEW', id: uuidv7() } }), release()]
  const started = await Promise.all([first, near, far].map((each) => perform('release.start', each)))
  const [own, beside, foreign] = started.map(({ containers: [container] }) => container)
  const get = (from: { containerId: string }, address: string) =>
    codeInside(from.containerId, ['sh', '-c', `echo | nc -w 2 ${address} ${HTTP}`])
  expect(await get(own, beside.address)).toBe(0)
  expect(await codeInside(own.containerId, ['wget', '-qO-', `http://shop:${HTTP}/`])).toBe(0)
  expect(await get(own, foreign.address)).not.toBe(0)
  expect(await get(foreign, own.address)).not.toBe(0)
  for (const { workload } of [first, near, far])
    await perform('release.remove', {
      installation: INSTALLATION,
      workload,
      proxyRevision: null,
      stopSeconds: 0,
      deleteVolumes: true,
      imageIds: [],
    })
  const networks: any[] = await engine!.api('GET', '/networks')
  expect(networks.filter(({ Name }) => Name.startsWith('daybook-'))).toEqual([])
})
