/** Two editors of one record: of changes of the version that both have read, the first is made and the second refused. */
import { expect } from 'vitest'
import type { Route } from '#kernel/http/route'
import type { Reply } from './serve.ts'

/** A change of a record that is there, and the two editors' bodies: each changes what the version covers. */
export interface Edit {
  readonly as: string
  readonly path: string
  readonly first: object
  readonly second: object
}

type Call = (
  method: string,
  path: string,
  given: { as: string; body?: unknown; headers?: Record<string, string> },
) => Promise<Reply>

/** Every change that takes the version of a record. */
export const versionedChanges = (routes: readonly Route[]): string[] =>
  routes.filter(({ version, method }) => version !== undefined && method !== 'GET').map(({ line }) => line)

/** @param read the path of the GET that answers the version. Default: that of the change */
export async function oneEditorWins(call: Call, method: string, edit: Edit, read = edit.path): Promise<void> {
  const { as, path, first, second } = edit
  const readTag = async () => {
    const { status, text, headers } = await call('GET', read, { as })
    expect(status, text).toBe(200)
    expect(headers.get('etag')).toMatch(/^"[\w-]{43}"$/)
    return headers.get('etag')!
  }
  const change = async (body: object, tag: string) => {
    const { status, headers, text } = await call(method, path, { as, body, headers: { 'If-Match': tag } })
    return [status, headers.get('error-code'), status < 400 ? '' : text] as const
  }
  const tag = await readTag()
  expect(await readTag(), 'nothing has changed').toBe(tag)
  expect(await change(first, tag)).toEqual([200, null, ''])
  expect((await change(second, tag)).slice(0, 2)).toEqual([412, 'CHANGED_SINCE'])
  const next = await readTag()
  expect(next).not.toBe(tag)
  expect(await change(second, next)).toEqual([200, null, ''])
}
