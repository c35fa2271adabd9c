import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { answer, everyone, route, textReply } from '#kernel/http/route'
import { ID, rig } from './http-rig.ts'
import type { Rig } from './http-rig.ts'

const Thing = z.object({ id: z.uuid(), name: z.string() })
const staff = { kinds: ['staff'], permission: 'things:manage' }

const routes = [
  route('GET /api/things/:id', {
    does: 'Read a thing.',
    access: { kinds: ['staff', 'token'], permission: 'things:view' },
    reply: Thing,
    handle: async ({ params }) => ({ id: params.id, name: 'one', secret: 'never' }) as never,
  }),
  route('GET /api/things/current', {
    does: 'Read the current thing.',
    access: everyone,
    reply: z.object({ current: z.boolean() }),
    handle: async () => ({ current: true }),
  }),
  route('POST /api/things', {
    does: 'Make a thing.',
    access: staff,
    status: 201,
    body: z.strictObject({ name: z.string().max(10), tags: z.array(z.string()).optional() }),
    reply: Thing,
    handle: async ({ body }) => ({ id: ID, name: body.name }),
  }),
  route('DELETE /api/things/:id', { does: 'Remove a thing.', access: staff, handle: async () => {} }),
  route('POST /api/things/:id/start', { does: 'Start.', access: staff, status: 202, handle: async () => {} }),
  route('GET /api/text', {
    does: 'A text.',
    access: everyone,
    reply: textReply('text/plain', 'text/csv'),
    handle: async () => answer('a,b\n', 200, { 'Content-Type': 'text/csv', 'Cache-Control': 'max-age=60' }),
  }),
]

let it_: Rig
beforeAll(async () => {
  it_ = await rig(routes)
})
afterAll(() => it_.close())

describe('answers', () => {
  it('sends what the reply declares and nothing else', async () => {
    const { status, json, headers } = await it_.call('GET', `/api/things/${ID}`, { token: 'token' })
    expect({ status, json }).toEqual({ status: 200, json: { id: ID, name: 'one' } })
    expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  })
})
