/** Photos of accounts: accepted by content, sent as pictures only, deleted with the account. */
import { expect, test } from 'vitest'
import { jpeg, png, webp } from '#test/support/kernel/image-fixtures'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
const UNKNOWN = '01890000-0000-7000-8000-00000000dead'
const OWN = '/api/auth/profile/avatar'
const BYTES_MAX = 1_048_576

const of = (id: string): string => `/api/admin/users/${id}/avatar`

async function put(as: string, path: string, bytes: Buffer, type = 'application/octet-stream') {
  const headers = { authorization: `Bearer ${as}`, 'content-type': type }
  const response = await fetch(panel.url + path, { method: 'POST', headers, body: new Uint8Array(bytes) })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

async function shown(as: string, id: string) {
  const response = await fetch(`${panel.url}/api/users/${id}/avatar`, { headers: { authorization: `Bearer ${as}` } })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

async function kept(): Promise<string[]> {
  const { rows } = await panel.superuser.query('SELECT user_id FROM telemetry.avatar')
  return rows.map(({ user_id: userId }) => userId)
}

test.each([
  ['image/png', 'png', png(64, 64)],
  ['image/jpeg', 'jpeg', jpeg(64, 64)],
  ['image/webp', 'webp', webp.lossless(64, 64)],
])('a person shows himself by a %s', async (type, extension, bytes) => {
  const [{ as, id }, other] = [await panel.somebody(), await panel.somebody()]
  const { status, body } = await put(as, OWN, bytes)
  expect(status, body.message).toBe(200)
  const photo = await shown(other.as, id)
  expect(photo.bytes.equals(bytes)).toBe(true)
  expect(photo.headers.get('content-type')).toBe(type)
  expect(photo.headers.get('x-content-type-options')).toBe('nosniff')
  expect(photo.headers.get('content-disposition')).toBe(`attachment; filename="avatar.${extension}"`)
  expect(photo.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect((await panel.call('GET', '/api/users/me', { as })).body.avatarId).toBe(body.avatarId)
})

test('a newer photo takes the place of the older one, which is kept no longer', async () => {
  const { as, id } = await panel.somebody()
  for (const bytes of [png(10, 10), png(11, 11), jpeg(12, 12)]) {
    await put(as, OWN, bytes)
    expect((await shown(as, id)).bytes.equals(bytes)).toBe(true)
  }
  expect((await kept()).filter((each) => each === id)).toHaveLength(1)
})

test('of photos that are set at once one is left, whole', async () => {
  const { as, id } = await panel.somebody()
  const all = [1, 2, 3, 4, 5, 6].map((side) => png(side, side))
  const replies = await Promise.all(all.map((bytes) => put(as, OWN, bytes)))
  expect(replies.map(({ status }) => status)).toEqual(all.map(() => 200))
  const { bytes } = await shown(as, id)
  expect(all.some((each) => each.equals(bytes))).toBe(true)
  expect((await kept()).filter((each) => each === id)).toHaveLength(1)
})

test('a removed photo is gone, and answers as an unknown person does', async () => {
  const { as, id } = await panel.somebody()
  const unknown = await shown(as, UNKNOWN)
  const without = await shown(as, id)
  await put(as, OWN, png(1, 1))
  expect((await panel.call('DELETE', OWN, { as })).status).toBe(204)
  const removed = await shown(as, id)
  for (const { status, bytes, headers } of [without, removed]) {
    expect([status, bytes.toString()]).toEqual([404, unknown.bytes.toString()])
    expect([...headers.keys()]).toEqual([...unknown.headers.keys()])
  }
  expect(await kept()).not.toContain(id)
  expect((await panel.call('DELETE', OWN, { as })).status).toBe(404)
})

test.each([
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 400],
  ['HTML', Buffer.from('<!doctype html>'), 400],
  ['a picture that is cut', png(1, 1).subarray(0, 20), 400],
  ['more than a mebibyte', Buffer.concat([png(1, 1), Buffer.alloc(BYTES_MAX)]), 413],
])('%s is not taken', async (_what, bytes, status) => {
  const { as, id } = await panel.somebody()
  expect((await put(as, OWN, bytes)).status).toBe(status)
  expect(await kept()).not.toContain(id)
})

test('a whole mebibyte is taken, as a stream of bytes and nothing else', async () => {
  const { as } = await panel.somebody()
  const bytes = Buffer.concat([png(1, 1), Buffer.alloc(BYTES_MAX - png(1, 1).length)])
  expect((await put(as, OWN, bytes)).status).toBe(200)
  expect((await put(as, OWN, bytes, 'image/png')).status).toBe(415)
})

test('whoever keeps accounts sets and removes the photos of those below him, and of nobody else', async () => {
  const admin = await panel.somebody('ADMIN', ['users:view', 'users:manage'])
  const [user, other] = [await panel.somebody(), await panel.somebody('ADMIN')]
  const set = await put(admin.as, of(user.id), png(2, 2))
  expect(set.body).toMatchObject({ id: user.id, avatarId: expect.any(String) })
  expect((await panel.call('DELETE', of(user.id), { as: admin.as })).status).toBe(204)
  expect((await put(admin.as, of(other.id), png(2, 2))).status).toBe(403)
  expect((await put(admin.as, of(UNKNOWN), png(2, 2))).status).toBe(404)
  expect((await put(user.as, of(user.id), png(2, 2))).status).toBe(403)
  expect(await kept()).not.toContain(other.id)
  expect(await kept()).not.toContain(UNKNOWN)
})

test('a photo is ciphertext wherever it is kept', async () => {
  const { as } = await panel.somebody()
  const canary = Buffer.from('a birthmark below the left eye')
  await put(as, OWN, Buffer.concat([png(3, 3), canary]))
  const dump = await panel.dump()
  for (const encoding of ['latin1', 'hex', 'base64'] as const)
    expect(dump).not.toContain(canary.toString(encoding).slice(4, -4))
})
