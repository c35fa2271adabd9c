/** Clients of the change feed of a test's panel. */
import { afterEach, expect } from 'vitest'
import { userEvents } from '#panel/users/events'
import { openSseClient } from '../sse-client.ts'
import type { ListenOptions, SseClient } from '../sse-client.ts'
import type { TestUser, TestPanel } from './service.ts'

/** Call at the top level of a test file: after each test all clients are closed. */
export function feedFixture(panel: TestPanel) {
  const ears: SseClient[] = []
  afterEach(() => ears.splice(0).forEach((ear) => ear.close()))

  async function open(ask: ListenOptions): Promise<SseClient> {
    const ear = await openSseClient(panel.url, ask)
    ears.push(ear)
    return ear
  }

  /** An open stream of an account that has got its first position. */
  async function opened({ as }: Pick<TestUser, 'as'>, ask: ListenOptions = {}): Promise<SseClient> {
    const ear = await open({ as, ...ask })
    expect(ear.status).toBe(200)
    await ear.until(() => ear.lastId() >= 0)
    return ear
  }

  /**
   * Appends an event of the account's own. When it arrives, everything before it has arrived. @returns its
   * position
   */
  async function marked({ id: userId }: Pick<TestUser, 'id'>): Promise<number> {
    await panel.run(async (unit) =>
      unit.appendEvent(userEvents, userId, userEvents.UserRenamed({ userId, name: 'marked' })),
    )
    const mine = await panel.panel.store.readStream(userEvents.nameFor(userId))
    return mine.at(-1)!.position
  }

  async function heardAll(ear: SseClient, who: Pick<TestUser, 'id'>): Promise<void> {
    const position = await marked(who)
    await ear.until(() => ear.lastId() >= position)
  }

  async function sseToken({ as }: Pick<TestUser, 'as'>): Promise<string> {
    const { status, body } = await panel.call('POST', '/api/auth/sse-token', { as })
    expect(status).toBe(201)
    return body.sseToken
  }

  return { open, opened, marked, heardAll, sseToken }
}
