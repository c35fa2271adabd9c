/** Those who listen to the change feed of a test's panel. */
import { afterEach, expect } from 'vitest'
import { userEvents, UserRenamed } from '#panel/users/events'
import { listen } from './sse-client.ts'
import type { Ask, Ear } from './sse-client.ts'
import type { Somebody, TestPanel } from './service.ts'

/** Call at the top level of a test file: after each test nobody listens any more. */
export function feedFloor(panel: TestPanel) {
  const ears: Ear[] = []
  afterEach(() => ears.splice(0).forEach((ear) => ear.close()))

  async function open(ask: Ask): Promise<Ear> {
    const ear = await listen(panel.url, ask)
    ears.push(ear)
    return ear
  }

  /** Somebody's, who is let in and has been told where it begins. */
  async function opened({ as }: Pick<Somebody, 'as'>, ask: Ask = {}): Promise<Ear> {
    const ear = await open({ as, ...ask })
    expect(ear.status).toBe(200)
    await ear.until(() => ear.lastId() >= 0)
    return ear
  }

  /** Something of his own, past which everything before it was told. @returns its position */
  async function marked({ id: userId }: Pick<Somebody, 'id'>): Promise<number> {
    await panel.run(async (unit) => unit.record(userEvents, userId, UserRenamed({ userId, name: 'marked' })))
    const mine = await panel.panel.store.readStream(userEvents.at(userId))
    return mine.at(-1)!.position
  }

  async function heardAll(ear: Ear, who: Pick<Somebody, 'id'>): Promise<void> {
    const position = await marked(who)
    await ear.until(() => ear.lastId() >= position)
  }

  async function sseToken({ as }: Pick<Somebody, 'as'>): Promise<string> {
    const { status, body } = await panel.call('POST', '/api/auth/sse-token', { as })
    expect(status).toBe(201)
    return body.sseToken
  }

  return { open, opened, marked, heardAll, sseToken }
}
