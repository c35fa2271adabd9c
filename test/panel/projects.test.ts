/** Projects and who belongs to them, over HTTP. */
import { expect, test } from 'vitest'
import { startPanel } from './service.ts'
import type { Reply, Somebody } from './service.ts'

const panel = await startPanel()
await panel.licensed()

type Who = Pick<Somebody, 'as'>
const get = ({ as }: Who, path: string) => panel.call('GET', `/api/projects${path}`, { as })
const send = (method: string, { as }: Who, path: string, body?: unknown) =>
  panel.call(method, `/api/projects${path}`, { as, ...(body === undefined ? {} : { body }) })
const post = (who: Who, path: string, body?: unknown) => send('POST', who, path, body)
const patch = (who: Who, path: string, body: unknown) => send('PATCH', who, path, body)
const remove = (who: Who, path: string) => send('DELETE', who, path)

function ok(reply: Reply, status = 200): any {
  expect(reply.status, reply.text).toBe(status)
  return reply.body
}

test('whoever creates a project owns it, sees it and may change and delete it', async () => {
  const owner = await panel.somebody()
  const made = ok(await post(owner, '', { name: ' Shop ', description: 'Sells' }), 201)
  expect(made).toMatchObject({ name: 'Shop', description: 'Sells', ownerId: owner.id })
  expect(ok(await get(owner, `/${made.id}`))).toEqual(made)
  expect(ok(await get(owner, ''))).toEqual([made])
  const changed = ok(await patch(owner, `/${made.id}`, { description: null }))
  expect(changed).toEqual({ ...made, description: null })
  expect((await remove(owner, `/${made.id}`)).status).toBe(204)
  expect((await get(owner, `/${made.id}`)).status).toBe(404)
  expect(ok(await get(owner, ''))).toEqual([])
})
