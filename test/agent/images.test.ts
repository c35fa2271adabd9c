/** Images that a task brings to a host, on a real engine: from a transfer, and from a real registry. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import { ensurePerformer } from '../../src/agent/engine/ensure.ts'
import { hostEngine } from '../../src/agent/host/engine.ts'
import { EMPTY_TAR, noEngine, startEngine } from '../support/docker-engine.ts'
import { freePort } from '../support/free-port.ts'
import { makeRegistryImage, noRegistryPackage, startRegistry } from '../support/registry-image.ts'
import { scratchOfFile } from '../support/scratch.ts'

const isSkipped = (noEngine ?? noRegistryPackage) !== undefined
const scratch = scratchOfFile()
const directory = join(scratch, 'agent')
mkdirSync(directory, { recursive: true })
const engine = isSkipped ? undefined : await startEngine({ publishes: true })
const made = isSkipped ? undefined : makeRegistryImage(join(scratch, 'images'))
const bytes = made && readFileSync(made.archive)
const registry = made && (await startRegistry(join(scratch, 'registry'), made))
afterAll(async () => {
  registry?.stop()
  await engine?.stop()
})

const host = { ...hostEngine(`unix://${engine?.socketPath ?? '/nowhere'}`), directory }
const [{ perform }, { stream }] = [ensurePerformer(host), host]
const sha256Of = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

interface Doing {
  readonly content?: Uint8Array
  readonly signal?: AbortSignal
  readonly download?: () => AsyncIterable<Uint8Array>
}

function ensure(payload: object, { content, signal = AbortSignal.timeout(60_000), download }: Doing = {}) {
  const said: string[] = []
  async function* pieces() {
    if (!content) throw new Error('no transfer is needed')
    for (let at = 0; at < content.length; at += 1_000_000) yield content.subarray(at, at + 1_000_000)
  }
  const work = {
    taskId: '01890000-0000-7000-8000-0000000000aa',
    payload,
    signal,
    say: async (text: string) => void said.push(text),
    download: download ?? pieces,
  }
  const done = perform(work as never) as Promise<{ imageId: string }>
  return Object.assign(done, { said })
}
const errorOf = (done: Promise<unknown>): Promise<{ code: string; message: string }> =>
  done.then(
    () => ({ code: 'done', message: '' }),
    ({ code, message }) => ({ code, message }),
  )

const NAME = 'registry:2.8.3'
const transfer = (content: Uint8Array, more: object = {}) =>
  ensure({ name: NAME, digest: made!.id, from: 'TRANSFER', sha256: sha256Of(content), ...more }, { content })
const held = async (): Promise<[id: string, tags: string[]][]> =>
  (await engine!.api('GET', '/images/json?all=true'))
    .map(({ Id, RepoTags }: any) => [Id, (RepoTags ?? []).toSorted()])
    .toSorted(([one]: [string], [other]: [string]) => (one < other ? -1 : 1))
afterEach(async () => {
  expect(readdirSync(directory)).toEqual([])
  if (engine) for (const [id] of await held()) await engine.api('DELETE', `/images/${id}?force=true`)
})

test.skipIf(isSkipped)('a file of an image is loaded once, and has its name', async () => {
  const first = transfer(bytes!)
  expect(await first).toEqual({ imageId: made!.id })
  expect(first.said).toEqual([`Receiving ${NAME}`, 'Loading 22 MiB'])
  const { Config } = await engine!.api('GET', `/images/${NAME}/json`)
  expect(Config.Entrypoint[0]).toBe('/usr/bin/docker-registry')
  const payload = { name: NAME, digest: made!.id, from: 'TRANSFER', sha256: made!.sha256 }
  expect(await ensure(payload), 'again, without the transfer').toEqual({ imageId: made!.id })
  await engine!.api('DELETE', `/images/${NAME}?noprune=true`).catch(() => {})
  expect(await held()).toEqual([])
})

test.skipIf(isSkipped)('an image that is there gets the name that it lacks', async () => {
  await transfer(bytes!)
  const payload = { name: 'own/registry:1', digest: made!.id, from: 'PULL' }
  expect(await ensure(payload)).toEqual({ imageId: made!.id })
  expect(await held()).toEqual([[made!.id, ['own/registry:1', NAME]]])
})

/** An archive as `docker save` makes it, of the image with changes. */
function archiveWith(change: (folder: string) => void): Buffer {
  const folder = join(scratch, `archive-${Math.random()}`)
  mkdirSync(folder)
  execFileSync('tar', ['-xf', made!.archive, '-C', folder])
  change(folder)
  return execFileSync('tar', ['-c', '--format=ustar', '-C', folder, '.'], { maxBuffer: 256 * 2 ** 20 })
}
const renamed = (names: string[]) => (folder: string) => {
  const path = join(folder, 'manifest.json')
  const [image] = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify([{ ...image, RepoTags: names }]))
}

test.skipIf(isSkipped)('a file that is not that of the image is refused, and nothing of it stays', async () => {
  const other = archiveWith((folder) => {
    const [config = ''] = readdirSync(folder).filter((name) => /^[0-9a-f]{64}\.json$/.test(name))
    const content = readFileSync(join(folder, config), 'utf8').replace('1970', '1971')
    writeFileSync(join(folder, config), content)
  })
  await engine!.api('POST', '/images/create?fromSrc=-&repo=bystander&tag=1', EMPTY_TAR)
  const before = await held()
  const refused = async (done: Promise<unknown>, why: RegExp) => {
    expect(await errorOf(done)).toEqual({ code: 'REFUSED_IMAGE', message: expect.stringMatching(why) })
    expect(await held()).toEqual(before)
  }
  await refused(transfer(bytes!, { sha256: sha256Of(EMPTY_TAR) }), /another file/)
  await refused(transfer(bytes!.subarray(0, 9_000_000), { sha256: made!.sha256 }), /another file/)
  await refused(transfer(Buffer.from('no archive '.repeat(100))), /no archive/)
  await refused(transfer(Buffer.alloc(0)), /no archive/)
  await refused(transfer(bytes!.subarray(0, 9_000_000)), /cannot load/)
  await refused(transfer(archiveWith((folder) => writeFileSync(join(folder, 'manifest.json'), '[{}'))), /cannot load/)
  await refused(transfer(other), /is not the image/)
  const moving = archiveWith(renamed(['bystander:1', 'newcomer:1']))
  await refused(transfer(moving, { digest: `sha256:${'0'.repeat(64)}` }), /is not the image/)
})

test.skipIf(isSkipped)('names that a file has beside that of the image are put back', async () => {
  await engine!.api('POST', '/images/create?fromSrc=-&repo=bystander&tag=1', EMPTY_TAR)
  const bystander = (await held())[0]![0]
  expect(await transfer(archiveWith(renamed(['bystander:1', 'newcomer:1'])))).toEqual({ imageId: made!.id })
  expect(new Map(await held())).toEqual(
    new Map([
      [bystander, ['bystander:1']],
      [made!.id, [NAME]],
    ]),
  )
})

test.skipIf(isSkipped)('a name that another image has is not taken from it', async () => {
  await engine!.api('POST', '/images/create?fromSrc=-&repo=registry&tag=2.8.3', EMPTY_TAR)
  const before = await held()
  expect((await errorOf(transfer(bytes!))).code).toBe('IMAGE_NAME_TAKEN')
  expect(await held()).toEqual(before)
})

/** @returns the digest of its manifest, and its name for the port of a registry */
async function push(repo: string) {
  await transfer(bytes!)
  const at = `127.0.0.1:${registry!.port}/${repo}`
  await engine!.api('POST', `/images/${NAME}/tag?repo=${encodeURIComponent(at)}&tag=1`)
  const login = Readable.from([Buffer.from('{}')])
  const path = `/images/${encodeURIComponent(at)}/push?tag=1`
  expect(await stream(path, AbortSignal.timeout(20_000), async () => {}, login)).toBe(200)
  const accept = { accept: 'application/vnd.docker.distribution.manifest.v2+json' }
  const answer = await fetch(`http://127.0.0.1:${registry!.port}/v2/${repo}/manifests/1`, { headers: accept })
  for (const [id] of await held()) await engine!.api('DELETE', `/images/${id}?force=true`)
  expect(await held()).toEqual([])
  return {
    digest: answer.headers.get('docker-content-digest')!,
    named: (port: number) => `127.0.0.1:${port}/${repo}:1`,
  }
}

test.skipIf(isSkipped)('an image is pulled by its digest, and only that one', async () => {
  const { digest, named } = await push('shop/web')
  const name = named(registry!.port)
  const done = ensure({ name, digest, from: 'PULL' })
  expect(await done).toEqual({ imageId: made!.id })
  expect(done.said).toEqual([`Pulling ${name}`, '1 of 1 layers are there'])
  expect(await held()).toEqual([[made!.id, [name]]])
  expect(await ensure({ name, digest, from: 'PULL' }), 'again').toEqual({ imageId: made!.id })
})

const serving = async (answer: RequestListener) => {
  const server = createServer(answer)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { port: (server.address() as AddressInfo).port, server }
}

test.skipIf(isSkipped)('what a registry does not give is said in words of the agent', async () => {
  const { digest, named } = await push('shop/api')
  const pull = (port: number, of = digest) => errorOf(ensure({ name: named(port), digest: of, from: 'PULL' }))
  const canary = 'canary of the other side'
  const { port, server } = await serving((_request, response) => {
    response.writeHead(418, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ errors: [{ code: canary, message: canary, detail: canary }] }))
  })
  const told = [await pull(registry!.port, `sha256:${'0'.repeat(64)}`), await pull(await freePort()), await pull(port)]
  expect(told.map(({ code }) => code)).toEqual(['IMAGE_NOT_FOUND', 'REGISTRY_UNREACHABLE', 'PULL_FAILED'])
  expect(JSON.stringify(told)).not.toMatch(/canary|dial|refused|\b418\b/)
  expect(await held()).toEqual([])
  server.close()
})

test.skipIf(isSkipped)('a task that is cancelled ends at once, and so does the engine', async () => {
  const { digest, named } = await push('shop/slow')
  let open = 0
  const { port, server } = await serving(async (request, response) => {
    const accept = request.headers.accept
    const real = await fetch(`http://127.0.0.1:${registry!.port}${request.url}`, {
      method: request.method!,
      ...(accept && { headers: { accept } }),
    })
    const content = Buffer.from(await real.arrayBuffer())
    response.writeHead(real.status, Object.fromEntries(real.headers))
    if (content.length < 1_000_000) {
      response.end(content)
      return
    }
    open += 1
    let at = 0
    // An engine notes that its caller has left when it has read more.
    const dripping = setInterval(() => response.write(content.subarray(at, (at += 100_000))), 100)
    response.once('close', () => {
      open -= 1
      clearInterval(dripping)
    })
  })
  const stop = new AbortController()
  const done = errorOf(ensure({ name: named(port), digest, from: 'PULL' }, { signal: stop.signal }))
  await expect.poll(() => open, { timeout: 10_000 }).toBeGreaterThan(0)
  const startMs = performance.now()
  stop.abort()
  await done
  expect(performance.now() - startMs).toBeLessThan(1_000)
  await expect.poll(() => open, { timeout: 5_000 }).toBe(0)
  server.closeAllConnections()
  server.close()

  const cut = new AbortController()
  async function* waiting() {
    yield bytes!.subarray(0, 1_000_000)
    await pause(60_000, undefined, { signal: cut.signal })
  }
  const receiving = errorOf(
    ensure(
      { name: NAME, digest: made!.id, from: 'TRANSFER', sha256: made!.sha256 },
      { signal: cut.signal, download: waiting },
    ),
  )
  await pause(100)
  cut.abort()
  expect((await receiving).message).toMatch(/abort/)
  expect(await held()).toEqual([])
})

test('without an engine the task fails with a code that is tried again', async () => {
  const nowhere = ensurePerformer({ ...hostEngine('unix:///nowhere'), directory })
  const work = {
    payload: { name: NAME, digest: `sha256:${'0'.repeat(64)}`, from: 'PULL' },
    signal: AbortSignal.timeout(1_000),
  }
  expect((await errorOf(nowhere.perform(work as never))).code).toBe('NO_ENGINE')
})
