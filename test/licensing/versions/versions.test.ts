import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compactVerify, importJWK } from 'jose'
import { afterAll, describe, expect, test } from 'vitest'
import { artifactFile, downloadLink } from '#licensing/versions/artifacts'
import { versions } from '#licensing/versions/decider'
import {
  VersionArtifactAdded,
  VersionCreated,
  VersionPublished,
  VersionYanked,
  versionNumber,
} from '#licensing/versions/events'
import { entitledVersions } from '#projections/licensing/versions'
import { given } from '#test/support/decider-spec'
import { startService } from '../../support/licensing/service.ts'

const versionId = randomUUID()
const created = VersionCreated({ versionId, version: '1.0.0', channel: 'stable', notes: '', minPlan: null })
const file = { artifactId: randomUUID(), name: 'panel.tgz', size: 1, sha256: 'a'.repeat(64), kid: 'k', signature: 's' }
const added = VersionArtifactAdded({ versionId, ...file })
const published = VersionPublished({ versionId })
const yanked = VersionYanked({ versionId, reason: 'broken' })

describe('rules', () => {
  test('a version is published with its files, once', () => {
    given(versions, [created]).when('PublishVersion', {}).refused(409, 'The version has no file yet: add one first')
    given(versions, [created, added]).when('PublishVersion', {}).then([published])
    given(versions, [created, added, published]).when('PublishVersion', {}).then([])
    given(versions, [created, added, published, yanked])
      .when('PublishVersion', {})
      .refused(409, 'The version is yanked and cannot be published again')
  })

  test('its files are complete then', () => {
    for (const closed of [[published], [published, yanked], [yanked]])
      given(versions, [created, added, ...closed])
        .when('AddArtifact', { ...file, name: 'other.tgz' })
        .refused(409, 'The version is published, so its files cannot change: create another version')
  })

  test('a name is one file’s; the same file again is nothing new', () => {
    const version = given(versions, [created, added])
    version.when('AddArtifact', { ...file, artifactId: randomUUID() }).then([])
    version
      .when('AddArtifact', { ...file, sha256: 'b'.repeat(64) })
      .refused(409, 'The version already has another file panel.tgz: choose another name')
  })

  test('a version has at most 50 files', () => {
    const many = Array.from({ length: 50 }, (_, nth) => VersionArtifactAdded({ versionId, ...file, name: `f${nth}` }))
    given(versions, [created, ...many])
      .when('AddArtifact', file)
      .refused(409, 'A version has at most 50 files')
  })

  test('what is yanked stays so; an unknown version is not found', () => {
    given(versions, [created]).when('YankVersion', { reason: 'broken' }).then([yanked])
    given(versions, [created, yanked]).when('YankVersion', { reason: 'again' }).then([])
    given(versions).when('YankVersion', { reason: 'x' }).refused(404, 'Not found')
    given(versions).when('AddArtifact', file).refused(404, 'Not found')
  })

  test.each(['1.0.0', '0.0.1', '10.20.30', '1.0.0-beta.1', '2.0.0-rc-1.x'])('%s is a version', (text) =>
    expect(versionNumber.safeParse(text).success).toBe(true),
  )
  test.each(['1', '1.0', '01.0.0', 'v1.0.0', '1.0.0+build', '1.0.0-', '1.0.0-01', ' 1.0.0', '1.0.0\n'])(
    '%j is none',
    (text) => expect(versionNumber.safeParse(text).success).toBe(false),
  )
})

const filesDir = mkdtempSync(join(tmpdir(), 'daybook-files-'))
afterAll(() => rmSync(filesDir, { recursive: true, force: true }))
const service = await startService({ filesDir })
const as = await service.staff()
const call = (method: string, path: string, body?: unknown, by = as) => service.call(method, path, { as: by, body })

let minor = 0
const create = (more: object = {}) => call('POST', '/api/admin/versions', { version: `1.${(minor += 1)}.0`, ...more })
const draft = async (more: object = {}) => (await create(more)).body as { id: string; version: string }

interface Sent {
  readonly status: number
  readonly body: any
}

async function upload(id: string, query: string, bytes: Uint8Array<ArrayBuffer>, headers: object = {}): Promise<Sent> {
  const response = await fetch(`${service.url}/api/admin/versions/${id}/artifacts?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/octet-stream', ...headers },
    body: bytes,
  })
  return { status: response.status, body: await response.json() }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const onDisk = (): string[] => readdirSync(join(filesDir, 'artifacts')).toSorted()
const release = async (more: object = {}, bytes: Uint8Array<ArrayBuffer> = randomBytes(10)) => {
  const version = await draft(more)
  const { body: artifact } = await upload(version.id, 'name=panel.tgz', bytes)
  expect((await call('POST', `/api/admin/versions/${version.id}/publish`)).status).toBe(200)
  return { version, artifact, bytes }
}

describe('a version', () => {
  test('is a draft that can be listed, published and yanked', async () => {
    const made = await create({ channel: 'beta', notes: 'New: *everything*' })
    expect(made.status, made.text).toBe(201)
    expect(made.body).toMatchObject({
      status: 'DRAFT',
      channel: 'beta',
      minPlan: null,
      publishedAt: null,
      artifacts: [],
    })
    const path = `/api/admin/versions/${made.body.id}`
    expect((await call('POST', `${path}/publish`)).status).toBe(409)
    await upload(made.body.id, 'name=b.tgz', randomBytes(3))
    await upload(made.body.id, 'name=a.tgz', randomBytes(3))
    const live = await call('POST', `${path}/publish`)
    expect(live.body).toMatchObject({ status: 'PUBLISHED', publishedAt: expect.any(String) })
    const back = await call('POST', `${path}/yank`, { reason: 'it breaks backups' })
    expect(back.body).toMatchObject({ status: 'YANKED', yankedAt: expect.any(String) })
    const [listed] = (await call('GET', `/api/admin/versions?version=${made.body.version}&channel=beta`)).body.items
    const byName = back.body.artifacts.toSorted((one: any, other: any) => (one.name < other.name ? -1 : 1))
    expect(listed).toEqual({ ...back.body, artifacts: byName })
    expect((await call('GET', path)).body).toEqual(listed)
    expect((await call('GET', `/api/admin/versions/${randomUUID()}`)).status).toBe(404)
  })

  test('409 for a number that is taken, 400 for a plan that does not exist', async () => {
    const { version } = await draft()
    expect((await create({ version })).body.message).toBe(`Version ${version} already exists`)
    expect((await create({ minPlan: 'no-such-plan' })).body.message).toBe('Plan no-such-plan does not exist')
  })

  test('a token may make one and give it files, and neither see nor publish it', async () => {
    const token = await service.token(['versions:manage'], {
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    })
    const made = await call('POST', '/api/admin/versions', { version: `2.${(minor += 1)}.0` }, token)
    expect(made.status).toBe(201)
    expect((await call('POST', `/api/admin/versions/${made.body.id}/publish`, undefined, token)).status).toBe(403)
    for (const path of ['/api/admin/versions', `/api/admin/versions/${made.body.id}`])
      expect((await call('GET', path, undefined, token)).status, path).toBe(403)
  })
})

describe('a file', () => {
  test('is kept as it came, and signed with the published key', async () => {
    const { id, version } = await draft()
    const bytes = randomBytes(300_000)
    const kept = await upload(id, `name=panel-linux.tgz&sha256=${sha256(bytes)}`, bytes)
    expect(kept.status).toBe(201)
    expect(kept.body).toMatchObject({ name: 'panel-linux.tgz', size: bytes.length, sha256: sha256(bytes) })
    const { keys } = (await service.call('GET', '/api/v1/license/keys')).body
    const key = keys.find(({ kid }: { kid: string }) => kid === kept.body.kid)
    const { payload, protectedHeader } = await compactVerify(kept.body.signature, await importJWK(key, 'EdDSA'))
    expect(protectedHeader).toEqual({ alg: 'EdDSA', kid: kept.body.kid, typ: 'daybook-artifact+jwt' })
    const { name, size } = kept.body
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual({
      iss: service.settings.baseUrl,
      ver: version,
      name,
      size,
      sha256: sha256(bytes),
      iat: expect.any(Number),
    })
  })

  test('sent again is the same one, and is on the disk once', async () => {
    const { id } = await draft()
    const bytes = randomBytes(100)
    const first = await upload(id, 'name=a.tgz', bytes)
    const before = onDisk()
    const again = await upload(id, 'name=a.tgz', bytes)
    expect([again.status, again.body]).toEqual([200, first.body])
    const other = await upload(id, 'name=a.tgz', randomBytes(100))
    expect([other.status, other.body.message]).toEqual([
      409,
      'The version already has another file a.tgz: choose another name',
    ])
    expect(onDisk()).toEqual(before)
  })

  test('of one name comes once, when ten are sent at once', async () => {
    const { id } = await draft()
    const all = await Promise.all(Array.from({ length: 10 }, () => upload(id, 'name=race.tgz', randomBytes(50))))
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(all.filter(({ status }) => status === 409)).toHaveLength(9)
    const { artifacts } = (await call('GET', '/api/admin/versions?pageSize=1')).body.items[0]
    expect(onDisk()).toEqual(expect.arrayContaining(artifacts.map((each: { id: string }) => each.id)))
  })

  test.each([
    ['no name', '', {}, 400],
    ['a name that leads elsewhere', 'name=..%2f..%2fetc%2fpasswd', {}, 400],
    ['a hidden name', 'name=.profile', {}, 400],
    ['another digest', `name=a&sha256=${'0'.repeat(64)}`, {}, 400],
    ['a digest that is none', 'name=a&sha256=x', {}, 400],
    ['JSON', 'name=a', { 'content-type': 'application/json' }, 415],
    ['a compressed body', 'name=a', { 'content-encoding': 'gzip' }, 415],
  ])('%s is refused and leaves nothing', async (_what, query, headers, status) => {
    const { id } = await draft()
    await upload(id, 'name=first', randomBytes(1))
    const before = onDisk()
    expect((await upload(id, query, randomBytes(100), headers)).status).toBe(status)
    expect(onDisk()).toEqual(before)
  })

  test('nothing is taken for a version that is published or unknown', async () => {
    const { version } = await release()
    const before = onDisk()
    expect((await upload(version.id, 'name=late', randomBytes(10))).status).toBe(409)
    expect((await upload(randomUUID(), 'name=lost', randomBytes(10))).status).toBe(404)
    expect(onDisk()).toEqual(before)
  })

  test('that is too large is refused at its announcement, one that is cut off leaves nothing', async () => {
    const { id } = await draft()
    await upload(id, 'name=first', randomBytes(1))
    const before = onDisk()
    const begun = (length: number) =>
      request(`${service.url}/api/admin/versions/${id}/artifacts?name=x`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${as}`,
          'content-type': 'application/octet-stream',
          'content-length': length,
        },
      })
    const large = begun(3 * 1024 ** 3)
    const status = new Promise((resolve) => large.once('response', ({ statusCode }) => resolve(statusCode)))
    large.on('error', () => {})
    large.write('x')
    expect(await status).toBe(413)
    large.destroy()
    const cut = begun(1_000_000)
    cut.on('error', () => {})
    cut.write(randomBytes(100_000))
    await expect.poll(() => onDisk().length).toBe(before.length + 1)
    cut.destroy()
    await expect.poll(() => onDisk()).toEqual(before)
  })

  test('is not taken from a token that was revoked while it came', async () => {
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    const body = { name: 'release', permissions: ['versions:manage'], expiresAt }
    const { token, secret } = (await call('POST', '/api/admin/machine-tokens', body)).body
    const { id } = await draft()
    await upload(id, 'name=first', randomBytes(1))
    const before = onDisk()
    const late = request(`${service.url}/api/admin/versions/${id}/artifacts?name=late`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/octet-stream',
        'content-length': 2_000,
      },
    })
    const status = new Promise((resolve) => late.once('response', ({ statusCode }) => resolve(statusCode)))
    late.write(randomBytes(1_000))
    await expect.poll(() => onDisk().length).toBe(before.length + 1)
    expect((await call('POST', `/api/admin/machine-tokens/${token.id}/revoke`)).status).toBe(200)
    late.end(randomBytes(1_000))
    expect(await status).toBe(401)
    expect(onDisk()).toEqual(before)
  })
})

describe('a download link', () => {
  const path = (link: string): string => link.slice(service.settings.baseUrl.length)
  const linkTo = (id: string, at = service.licensing.clock.now()) =>
    downloadLink({ vault: service.licensing.vault, baseUrl: service.settings.baseUrl }, id, at)
  const status = async (url: string) => (await service.call('GET', url)).status

  test('gives the bytes to whoever has it, for a quarter of an hour', async () => {
    const { artifact, bytes } = await release()
    const response = await fetch(service.url + path(await linkTo(artifact.id)))
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(bytes))
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(bytes.length),
      'content-disposition': 'attachment; filename="panel.tgz"',
    })
    const now = service.licensing.clock.now().getTime()
    expect(await status(path(await linkTo(artifact.id, new Date(now - 15 * 60_000 - 1_000))))).toBe(404)
  })

  test('is not for another file, another time, or what is yanked, a draft or lost', async () => {
    const { artifact, version } = await release()
    const { artifact: other } = await release()
    const link = path(await linkTo(artifact.id))
    expect(await status(link.replace(artifact.id, other.id))).toBe(404)
    expect(await status(link.replace(/until=\d+/, 'until=9999999999'))).toBe(404)
    expect(await status(link.replace(/signature=..../, 'signature=AAAA'))).toBe(404)
    expect(await status(link)).toBe(200)
    await call('POST', `/api/admin/versions/${version.id}/yank`, { reason: 'x' })
    expect(await status(link)).toBe(404)
    const { body: unpublished } = await upload((await draft()).id, 'name=a', randomBytes(1))
    expect(await status(path(await linkTo(unpublished.id)))).toBe(404)
    rmSync(join(filesDir, artifactFile(other.id)))
    expect(await status(path(await linkTo(other.id)))).toBe(404)
  })
})

describe('who is entitled', () => {
  test('is whoever has the plan or a dearer one of the same currency; yanked ones and drafts are nobody’s', async () => {
    const plan = (slug: string, priceMonthly: number | null, priceYearly: number | null, currency = 'EUR') =>
      call('POST', '/api/admin/plans', { slug, name: slug, priceMonthly, priceYearly, currency })
    await plan('basic', 100, 1_000)
    await plan('pro', 500, 5_000)
    await plan('odd', 900, 4_000)
    await plan('dollars', 900, 9_000, 'USD')
    await plan('yearly', null, 5_000)
    await plan('cheap-yearly', null, 4_999)
    await plan('unpriced', null, null)
    await call('POST', '/api/admin/plans', { slug: 'gift', name: 'Gift', free: true })
    const { version: free } = await release({ channel: 'beta' })
    const { version: forPro } = await release({ minPlan: 'pro', channel: 'beta' })
    const { version: stable } = await release()
    await draft({ channel: 'beta' })
    const { version: gone } = await release({ channel: 'beta' })
    await call('POST', `/api/admin/versions/${gone.id}/yank`, { reason: 'x' })
    await service.licensing.projector.catchUp()
    const seen = async (planSlug: string, channel?: 'beta') => {
      const all = await entitledVersions(service.licensing.read, { planSlug, channel })
      return all.map(({ id }) => id)
    }
    for (const enough of ['pro', 'yearly']) expect(await seen(enough, 'beta')).toEqual([forPro.id, free.id])
    for (const other of ['basic', 'odd', 'dollars', 'cheap-yearly', 'unpriced', 'gift', 'no-such-plan'])
      expect(await seen(other, 'beta')).toEqual([free.id])
    const [newest] = await entitledVersions(service.licensing.read, { planSlug: 'pro' })
    expect(newest).toMatchObject({ id: stable.id, artifacts: [{ name: 'panel.tgz' }] })
  })
})

test('409 where this installation keeps no files', async () => {
  expect(await sentToBare()).toMatchObject({ statusCode: 409, message: expect.stringContaining('FILES_DIR') })
})

async function sentToBare(): Promise<unknown> {
  const { openLicensing } = await import('../../../src/composition/licensing.ts')
  const { pino } = await import('pino')
  const again = await openLicensing({ ...service.settings, filesDir: undefined }, pino({ level: 'silent' }))
  try {
    const { port } = await again.listen(0, '127.0.0.1')
    const { id } = await draft()
    const response = await fetch(`http://127.0.0.1:${port}/api/admin/versions/${id}/artifacts?name=a`, {
      method: 'POST',
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/octet-stream' },
      body: 'x',
    })
    return await response.json()
  } finally {
    await again.close(0)
  }
}
