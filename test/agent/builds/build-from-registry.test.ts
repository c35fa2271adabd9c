/** Builds from an image of a registry that asks for a login, on a real engine. */
import { hash } from 'bcryptjs'
import { afterAll, expect, test } from 'vitest'
import { uuidv7 } from '#kernel/lib/uuid'
import { buildPerformer } from '../../../src/agent/builds/build.ts'
import { headerOf } from '../../../src/agent/builds/registry-hosts.ts'
import { hostEngine } from '../../../src/agent/host/engine.ts'
import { registriesPlanner } from '../../../src/agent/registries/hosted.ts'
import type { RegistriesApplied } from '../../../src/tasks/registries.ts'
import { codeOf, perform } from '../../support/agent/working.ts'
import { loadBusybox } from '../../support/busybox-image.ts'
import { noEngine, startEngine } from '../../support/docker-engine.ts'
import { loadRegistryImage, noRegistryPackage } from '../../support/registry-image.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const isSkipped = (noEngine ?? noRegistryPackage) !== undefined
const directory = scratchOfFile()
const engine = isSkipped ? undefined : await startEngine({ publishes: true })
const host = { ...hostEngine(`unix://${engine?.socketPath ?? '/nowhere'}`), directory }
const signal = AbortSignal.timeout(60_000)
const PASSWORD = 'canary-of-the-registry'
afterAll(async () => {
  if (!engine) return
  for (const { Id } of await engine.api('GET', '/containers/json?all=true'))
    await engine.api('DELETE', `/containers/${Id}?force=true`)
  await engine.stop()
})

/** @returns its address */
async function startRegistry(): Promise<string> {
  await loadRegistryImage(engine!)
  const htpasswd = `ada:${await hash(PASSWORD, 4)}`
  const registry = { registryId: uuidv7(), projectId: null, memoryMiB: 256, cpuMillis: 250, htpasswd }
  const plan = { installation: 'one', registries: [registry], erased: [] }
  const { ports } = (await registriesPlanner(host.call).apply(plan, signal)) as RegistriesApplied
  return `127.0.0.1:${ports[0]!.port}`
}

/** @returns its names: by its tag, and by its digest */
async function push(address: string): Promise<readonly [string, string]> {
  const name = `${address}/shop/base`
  await loadBusybox(engine!, 'base:1')
  await engine!.api('POST', `/images/base:1/tag?repo=${encodeURIComponent(name)}&tag=1`)
  const auth = { username: 'ada', password: PASSWORD, serveraddress: address }
  let digest: string | undefined
  const hear = async (told: any) => void (digest = told.aux?.Digest ?? digest)
  const headers = { 'X-Registry-Auth': headerOf(auth) }
  expect(await host.stream(`/images/${name}/push?tag=1`, signal, hear, undefined, headers)).toBe(200)
  expect(digest).toMatch(/^sha256:/)
  for (const each of [`${name}:1`, 'base:1']) await engine!.api('DELETE', `/images/${each}`)
  return [`${name}:1`, `${name}@${digest}`]
}

const classic = buildPerformer({
  ...host,
  async call(...asked) {
    const reply = await host.call(...asked)
    return asked[1] === '/_ping' ? { ...reply, headers: { 'builder-version': '1' } } : reply
  },
})

test.skipIf(isSkipped)('each builder pulls with the login of the task, and with no other one', async () => {
  const address = await startRegistry()
  const [image, byDigest] = await push(address)
  let names = 0
  const build = (by: typeof classic, password: string | undefined, dockerfile = `FROM ${image}\nRUN echo pulled\n`) => {
    names += 1
    const payload = {
      installation: 'one',
      workload: { kind: 'APPLICATION', id: '01890000-0000-7000-8000-000000000001' },
      deploymentId: '01890000-0000-7000-8000-0000000000d1',
      service: 'app',
      context: 'EMPTY',
      directory: '',
      dockerfile: null,
      target: null,
      tag: `daybook/pulled:${names}`,
      timeoutSeconds: 60,
    }
    const registries = password === undefined ? [] : [{ address, username: 'ada', password }]
    return perform<{ builder: string }>(by, payload, { secrets: { dockerfile, args: [], secrets: [], registries } })
  }
  const own = buildPerformer(host)
  for (const by of [own, classic]) {
    expect(await codeOf(build(by, undefined))).toBe('BUILD_FAILED')
    expect(await codeOf(build(by, 'wrong'))).toBe('BUILD_FAILED')
    const done = build(by, PASSWORD)
    await done
    expect(done.said.some(({ text }) => text.includes('pulled'))).toBe(true)
    // What the engine has by now is for those alone who may pull it.
    for (const name of [image, byDigest])
      for (const text of [`FROM ${name}\n`, `FROM scratch\nCOPY --from=${name} / /\n`]) {
        const refused = name === byDigest ? 'BASE_REFUSED' : 'BUILD_FAILED'
        expect(await codeOf(build(by, undefined, text)), text).toBe(refused)
        expect(await codeOf(build(by, 'wrong', text)), text).toBe(refused)
      }
    await build(by, PASSWORD, `FROM ${byDigest}\nRUN echo again\n`)
    await engine!.api('POST', '/build/prune?all=true')
    for (const name of [`daybook/pulled:${names}`, image])
      await engine!.api('DELETE', `/images/${name}?force=true`).catch(() => {})
  }
})
