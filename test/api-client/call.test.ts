/** The client of the licensing service, over real HTTP. */
import { expect, test } from 'vitest'
import { createCall } from '#api-client/call'
import {
  getAdminLicenses,
  getAdminCustomersById,
  getAdminLicensesById,
  patchAdminCustomersById,
  postAdminCustomers,
  getHealthReady,
  getInstallSh,
  postAdminLicensesByIdRevoke,
  postAdminProvisioning,
} from '#api-client/licensing'
import { createWalk, readPage } from '#api-client/paging'
import { Refusal } from '#api-client/refusal'
import { idsOf } from '../support/ids-of.ts'
import { startService } from '../support/licensing/service.ts'
import { shopFixture } from '../support/licensing/shop-fixture.ts'

const service = await startService()
const { plan } = await shopFixture(service)
const call = createCall({ baseUrl: service.url, token: () => service.staff() })

const refusalOf = async (calling: Promise<unknown>): Promise<Refusal> => {
  const error = await calling.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Refusal)
  return error as Refusal
}

const provisionFor = async (email: string) => ({ email, planSlug: (await plan()).slug, reference: `order of ${email}` })

test('provisions once for a key, and says what is a replay', async () => {
  const input = { body: await provisionFor('grace@client.test'), key: 'order-1' }
  const first = await call(postAdminProvisioning, input)
  expect(first).toMatchObject({ status: 201, lag: false, replayed: false })
  expect(first.position).toBeGreaterThan(0)
  const again = await call(postAdminProvisioning, input)
  expect(again).toMatchObject({ status: 201, replayed: true, data: { license: { id: first.data.license.id } } })
  expect(again.requestId).not.toBe(first.requestId)
})

test('fills the path, and leaves out what is undefined in the query', async () => {
  const { data } = await call(postAdminProvisioning, { body: await provisionFor('ada@client.test') })
  const { id } = data.license
  const revoked = await call(postAdminLicensesByIdRevoke, { params: { id }, body: { reason: 'a test' } })
  expect(revoked.data).toMatchObject({ id, status: 'REVOKED', reason: 'a test' })
  const listed = await call(getAdminLicenses, { query: { status: 'REVOKED', keyId: undefined, limit: 1 } })
  expect(listed.data.items).toMatchObject([{ id }])
  expect(listed.position).toBeUndefined()
})

test.each(['', '.', '..'])('calls nothing for a parameter %j, because that would be another operation', async (id) => {
  await expect(call(getAdminLicensesById, { params: { id } })).rejects.toThrow('The parameter id of /api/admin/')
})

test('throws what the service refuses, with the code and the request', async () => {
  const refusal = await refusalOf(call(getAdminLicensesById, { params: { id: '../customers' } }))
  expect(refusal).toMatchObject({ statusCode: 404, code: expect.any(String) as string, retryAfterMs: undefined })
  expect(refusal.requestId).toMatch(/^[\w-]{8,}$/)
  expect(refusal.message).toMatch(/^[A-Z]/)
})

test('sends no credential without a token', async () => {
  const anonymous = createCall({ baseUrl: service.url })
  expect(await refusalOf(anonymous(getAdminLicenses))).toMatchObject({
    statusCode: 401,
    code: 'AUTHENTICATION_REQUIRED',
  })
  expect((await anonymous(getHealthReady)).status).toBe(200)
})

test.each([
  ['7', 7_000],
  [new Date(Date.now() - 60_000).toUTCString(), 0],
  ['soon', undefined],
])('reads Retry-After: %s', async (header, expected) => {
  const busy = createCall({
    baseUrl: 'http://proxy.test',
    fetch: async () => new Response('<h1>busy</h1>', { status: 503, headers: { 'Retry-After': header } }),
  })
  expect(await refusalOf(busy(getHealthReady))).toMatchObject({
    statusCode: 503,
    code: undefined,
    message: 'The service answered 503',
    retryAfterMs: expected,
  })
})

test('answers what is not JSON as a response to read', async () => {
  const { data } = await call(getInstallSh)
  expect(await data.text()).toMatch(/^#!/)
})

test('stops waiting when its signal is aborted', async () => {
  const reason = new Error('The person left the page')
  await expect(call(getAdminLicenses, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})

test('walks a list of cursors to its end, and reads it page by page', async () => {
  const emails = ['one', 'two', 'three', 'four', 'five'].map((name) => `${name}@client.test`)
  const ids: string[] = []
  for (const email of emails)
    ids.push((await call(postAdminProvisioning, { body: await provisionFor(email) })).data.license.id)
  const query = { status: 'ACTIVE', limit: 2 } as const
  const walked = await idsOf(createWalk(call)(getAdminLicenses, { query }))
  expect(walked.slice(0, ids.length)).toEqual(ids.toReversed())
  expect(new Set(walked).size).toBe(walked.length)

  const first = await readPage(call, getAdminLicenses, { query })
  expect(first.items.map(({ id }) => id)).toEqual(walked.slice(0, 2))
  const second = await readPage(call, getAdminLicenses, { query }, first.next)
  expect(second.items.map(({ id }) => id)).toEqual(walked.slice(2, 4))
})

test('sends the version that it has read, and throws the refusal of an old one', async () => {
  const { data: made } = await call(postAdminCustomers, { body: { email: 'ada@editors.test' } })
  const params = { id: made.id }
  const { etag } = await call(getAdminCustomersById, { params })
  expect(etag).toMatch(/^"/)
  await call(patchAdminCustomersById, { params, body: { name: 'Ada' }, ifMatch: etag })
  const refusal = await refusalOf(call(patchAdminCustomersById, { params, body: { name: 'Grace' }, ifMatch: etag }))
  expect(refusal).toMatchObject({ statusCode: 412, code: 'CHANGED_SINCE' })
})
