/** Projects with members, over HTTP. */
import { expect } from 'vitest'
import type { Reply, TestUser, TestPanel } from './service.ts'

type Who = Pick<TestUser, 'as'>

export interface TestMember extends TestUser {
  readonly memberId: string
}

export function ok(reply: Reply, status = 200): any {
  expect(reply.status, reply.text).toBe(status)
  return reply.body
}

export const refusalIn = ({ status, headers }: Reply) => [status, headers.get('error-code')]

export function projectFixture(panel: TestPanel) {
  const send = (method: string, { as }: Who, path: string, body?: unknown) =>
    panel.call(method, `/api/projects${path}`, { as, ...(body === undefined ? {} : { body }) })
  const post = (who: Who, path: string, body?: unknown) => send('POST', who, path, body)

  return {
    send,
    post,
    get: (who: Who, path: string) => send('GET', who, path),
    patch: (who: Who, path: string, body: unknown) => send('PATCH', who, path, body),
    put: (who: Who, path: string, body: unknown) => send('PUT', who, path, body),
    remove: (who: Who, path: string) => send('DELETE', who, path),
    async project(owner: Who, name = 'Shop'): Promise<string> {
      return ok(await post(owner, '', { name }), 201).id
    },
    async member(owner: Who, projectId: string, more: object = {}): Promise<TestMember> {
      const who = await panel.somebody()
      const { id } = ok(await post(owner, `/${projectId}/members`, { userId: who.id, ...more }), 201)
      return { ...who, memberId: id }
    },
    /** Creates a custom role. */
    async role(owner: Who, projectId: string, permissions: readonly string[]): Promise<string> {
      return ok(await post(owner, `/${projectId}/roles`, { name: permissions.join(), permissions }), 201).id
    },
    async environment(owner: Who, projectId: string, name: string): Promise<string> {
      return ok(await post(owner, `/${projectId}/environments`, { name }), 201).id
    },
  }
}
