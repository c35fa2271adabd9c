/** Routes that need a recent proof of identity. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { route } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import { ID, caller, rig } from '../../support/kernel/http-rig.ts'
import type { Rig } from '../../support/kernel/http-rig.ts'

const staff = { kinds: ['staff', 'token'] }
const removed: string[] = []

const routes = [
  route('POST /api/things/:id/remove', {
    does: 'Remove a thing.',
    access: {
      ...staff,
      rule: ({ params }) => void (params.id.endsWith('404') && reject('notFound', 'Not found')),
    },
    stepUp: true,
    body: z.strictObject({ reason: z.string() }),
    handle: async ({ params }) => void removed.push(params.id),
  }),
]

/** The first is a session that has just proved its identity, the last is a kind that cannot. */
const CALLERS = {
  proved: caller('staff', [], { requireRecentProof: () => {} }),
  stale: caller('staff', [], { requireRecentProof: () => reject('forbidden', 'Prove it', 'STEP_UP_REQUIRED') }),
  token: caller('token', []),
} as const

let server: Rig
beforeAll(async () => {
  server = await rig(routes, {
    authenticate: async ({ authorization: [sent = ''] }) =>
      CALLERS[sent.replace('Bearer ', '') as keyof typeof CALLERS],
  })
})
afterAll(() => server.close())

const remove = (token: string, id = ID, body: unknown = { reason: 'x' }) =>
  server.call('POST', `/api/things/${id}/remove`, { token, body })

it('lets in a session with a recent proof', async () => {
  expect((await remove('proved')).status).toBe(204)
  expect(removed).toEqual([ID])
})

it('refuses a session without one before its body is read, and after the rule of the path', async () => {
  const refused = await remove('stale', ID, { unknown: true })
  expect([refused.status, refused.headers['error-code']]).toEqual([403, 'STEP_UP_REQUIRED'])
  expect((await remove('stale', ID.replace(/.{3}$/, '404'))).status).toBe(404)
  expect(removed).toEqual([ID])
})

it('lets in no kind of caller that cannot give a proof', async () => {
  expect((await remove('token')).status).toBe(500)
  expect(removed).toEqual([ID])
})

it('cannot be asked of the public', async () => {
  const muddled = route('POST /x', { does: 'X.', access: { kinds: [] }, stepUp: true, handle: async () => {} })
  await expect(rig([muddled])).rejects.toThrow('POST /x is public and requires a proof of identity')
})
