/** Images of deployments on a real engine, from a real registry: with a login, without one, and by their id. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { hash } from 'bcryptjs'
import { afterAll, expect, test } from 'vitest'
import { uuidv7 } from '#kernel/lib/uuid'
import { engineCall, engineStream } from '../../../src/agent/engine-call.ts'
import { registryAuth } from '../../../src/agent/engine/pull-image.ts'
import { registriesPlanner } from '../../../src/agent/registries/hosted.ts'
import { imageNameOf } from '../../../src/tasks/builds.ts'
import type { RegistriesApplied } from '../../../src/tasks/registries.ts'
import { errorOf, INSTALLATION, makeAppImage, releaseHost } from '../../support/agent/release-host.ts'
import { noEngine, startEngine } from '../../support/docker-engine.ts'
import { freePort } from '../../support/free-port.ts'
import { loadRegistryImage, noRegistryPackage } from '../../support/registry-image.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const isSkipped = (noEngine ?? noRegistryPackage) !== undefined
const directory = scratchOfFile()
const engine = isSkipped ? undefined : await startEngine({ publishes: true })
const socketPath = engine?.socketPath ?? '/nowhere'
afterAll(() => engine?.stop())
const { perform } = releaseHost(socketPath, { directory })
const PASSWORD = 'open sesame'

interface Registry {
  readonly address: string
  readonly imageId: string
  readonly digest: string
}
const registry: Registry | undefined = engine && (await pushed())

/** A registry that asks for a login, with one image at `shop/web:v1`, which the host does not have any more. */
async function pushed(): Promise<Registry> {
  await loadRegistryImage(engine!)
  const hosted = { registryId: uuidv7(), projectId: null, memoryMiB: 256, cpuMillis: 1_000 }
  const plan = { installation: INSTALLATION, registries: [{ ...hosted, htpasswd: `ada:${await hash(PASSWORD, 4)}` }] }
  const { apply } = registriesPlanner(engineCall(socketPath))
  const applied = (await apply({ ...plan, erased: [] }, AbortSignal.timeout(60_000))) as RegistriesApplied
  const address = `127.0.0.1:${applied.ports[0]!.port}`
  const imageId = await makeAppImage(engine!, 'web', ['EXPOSE 8080', 'EXPOSE 53/udp', 'EXPOSE 443/tcp'])
  const repo = encodeURIComponent(`${address}/shop/web`)
  await engine!.api('POST', `/images/web/tag?repo=${repo}&tag=v1`)
  const auth = registryAuth({ username: 'ada', password: PASSWORD })
  const push = engineStream(socketPath)
  let digest = ''
  const hear = async (told: any) => void (digest = told.aux?.Digest ?? digest)
  await push(`/images/${repo}/push?tag=v1`, AbortSignal.timeout(20_000), hear, Readable.from([Buffer.from('{}')]), auth)
  await engine!.api('DELETE', `/images/${imageId}?force=true`)
  return { address, imageId, digest }
}

const workload = { kind: 'APPLICATION' as const, id: uuidv7() }
const newTag = (of = workload) => imageNameOf(of, { deploymentId: uuidv7(), service: 'app', mark: 'f00' })
const login = (password = PASSWORD, address = registry?.address ?? '') => ({
  secrets: { registry: { address, username: 'ada', password } },
})
interface Asked {
  readonly secrets?: object
  readonly tag?: string
  readonly from?: typeof workload
}
const pull = (reference: string, { secrets, tag = newTag(), ...more }: Asked = {}) =>
  perform(
    'image.pull',
    { installation: INSTALLATION, workload, deploymentId: uuidv7(), reference, tag, ...more },
    secrets ? { secrets } : {},
  )
const names = async (): Promise<string[]> =>
  (await engine!.api('GET', '/images/json')).flatMap(({ RepoTags }: any) => RepoTags ?? []).toSorted()

test.skipIf(isSkipped)('an image is pulled with its login, and kept under the tag alone', async () => {
  const { address, imageId, digest } = registry!
  const [before, tag] = [await names(), newTag()]
  const done = pull(`${address}/shop/web:v1`, { ...login(), tag })
  expect(await done).toEqual({ imageId, repoDigest: `${address}/shop/web@${digest}`, ports: [443, 8080] })
  expect(done.said).toEqual([`Pulling ${address}/shop/web:v1`, '1 of 1 layers are there'])
  expect(await names()).toEqual([...before, tag].toSorted())
  const byDigest = newTag()
  const pinned = { imageId, repoDigest: `${address}/shop/web@${digest}` }
  expect(await pull(`${address}/shop/web@${digest}`, { ...login(), tag: byDigest })).toMatchObject(pinned)
  const many = await Promise.all([1, 2, 3].map(() => pull(`${address}/shop/web:v1`, login())))
  expect(many.map((each) => each.imageId)).toEqual([imageId, imageId, imageId])
  expect((await names()).some((name) => name.startsWith(address))).toBe(false)
})

test.skipIf(isSkipped)('a name that the host had before stays', async () => {
  const name = `${registry!.address}/shop/web:v1`
  const { imageId } = await pull(name, login())
  await engine!.api('POST', `/images/${imageId}/tag?repo=${encodeURIComponent(name.slice(0, -3))}&tag=v1`)
  await pull(name, login())
  expect(await names()).toContain(name)
})

test.skipIf(isSkipped)('an image of the host is taken by its id from the workload that has it', async () => {
  const [own, from, stranger] = [
    await makeAppImage(engine!, 'own', ['EXPOSE 3000']),
    { ...workload, id: uuidv7() },
    { ...workload, id: uuidv7() },
  ]
  const [tag, theirs] = [newTag(), newTag(from).split(':')]
  const NONE = { code: 'NO_SUCH_IMAGE' }
  expect(await errorOf(pull(own, { from })), 'an image of nobody').toMatchObject(NONE)
  await engine!.api('POST', `/images/${own}/tag?repo=${encodeURIComponent(theirs[0]!)}&tag=${theirs[1]}`)
  expect(await pull(own, { tag, from })).toEqual({ imageId: own, repoDigest: null, ports: [3000] })
  expect(await names()).toContain(tag)
  for (const [reference, asked] of [
    [own, {}],
    [own, { from: stranger }],
    [own.slice('sha256:'.length), {}],
    ['own:latest', { from }],
    ['own:latest', {}],
    [theirs.join(':'), {}],
    [`sha256:${'0'.repeat(64)}`, { from }],
  ] as const)
    expect(await errorOf(pull(reference, asked)), reference).toMatchObject({
      code: expect.stringMatching(/^(?:NO_SUCH_IMAGE|REGISTRY_UNREACHABLE)$/),
    })
})

test.skipIf(isSkipped)('an image that another login has brought is asked for at its registry', async () => {
  const name = `${registry!.address}/shop/web:v1`
  const { imageId } = await pull(name, login())
  // An operator or another program has left it under its name.
  await engine!.api('POST', `/images/${imageId}/tag?repo=${encodeURIComponent(name.slice(0, -3))}&tag=v1`)
  expect(await errorOf(pull(name))).toMatchObject({ code: 'LOGIN_REFUSED' })
  expect(await errorOf(pull(name, login('wrong')))).toMatchObject({ code: 'LOGIN_REFUSED' })
  await engine!.api('DELETE', `/images/${encodeURIComponent(name)}`)
})

test.skipIf(isSkipped)('what a registry does not give is said in words of the agent', async () => {
  const { address } = registry!
  const canary = 'canary of the other side'
  const server = createServer((_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json', 'www-authenticate': 'Basic realm="x"' })
    response.end(JSON.stringify({ errors: [{ code: 'UNAUTHORIZED', message: canary, detail: canary }] }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const other = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const cases = [
    ['LOGIN_REFUSED', `${address}/shop/web:v1`, {}],
    ['LOGIN_REFUSED', `${address}/shop/web:v1`, login('wrong')],
    ['LOGIN_REFUSED', `${other}/shop/web:v1`, login()],
    ['LOGIN_REFUSED', `${other}/shop/web:v1`, login(PASSWORD, other)],
    ['NO_SUCH_IMAGE', `${address}/shop/web:v2`, login()],
    ['NO_SUCH_IMAGE', `${address}/shop/none:v1`, login()],
    ['NO_SUCH_IMAGE', 'Not An Image', login()],
    ['REGISTRY_UNREACHABLE', `127.0.0.1:${await freePort()}/shop/web:v1`, {}],
  ] as const
  for (const [code, reference, secrets] of cases) {
    const error = await errorOf(pull(reference, secrets))
    expect(error, reference).toMatchObject({ code })
    expect(JSON.stringify(error)).not.toMatch(/canary|sesame|dial|connection refused/)
  }
  server.close()
})

test.skipIf(isSkipped)('a login goes to no other registry', async () => {
  const heard: unknown[] = []
  const server = createServer((request, response) => {
    heard.push(request.headers.authorization)
    response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const other = `127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await errorOf(pull(`${other}/shop/web:v1`, login()))).toMatchObject({ code: 'LOGIN_REFUSED' })
  expect(heard).toEqual([])
  server.close()
})
