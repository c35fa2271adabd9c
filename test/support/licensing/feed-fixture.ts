/** Readers of the change feed of a test's licensing service. */
import { afterEach, expect } from 'vitest'
import type { Role } from '#licensing/access/permissions'
import { staffEvents, StaffRenamed } from '#licensing/staff/events'
import { openSseClient } from '../sse-client.ts'
import type { ListenOptions, SseClient } from '../sse-client.ts'
import { newStaff, signIn } from './people.ts'
import type { TestService } from './service.ts'

export const STREAM = '/api/admin/events/stream'

export interface FeedReader {
  readonly id: string
  readonly email: string
  readonly as: string
}

/** Call at the top level of a test file: after each test all readers are closed. */
export function feedFixture(service: TestService) {
  const ears: SseClient[] = []
  afterEach(() => ears.splice(0).forEach((ear) => ear.close()))

  /** A new member of staff, signed in. */
  async function reader(...roles: readonly Role[]): Promise<FeedReader> {
    const { id, email, password } = await newStaff(service, roles)
    await service.licensing.projector.catchUp()
    const { accessToken, reply } = await signIn(service, { email, password })
    expect(reply.status, reply.text).toBe(200)
    return { id, email, as: accessToken }
  }

  async function open(ask: ListenOptions): Promise<SseClient> {
    const ear = await openSseClient(service.url, { path: STREAM, ...ask })
    ears.push(ear)
    return ear
  }

  /** An open stream that has got its first position. */
  async function opened({ as }: Pick<FeedReader, 'as'>, ask: ListenOptions = {}): Promise<SseClient> {
    const ear = await open({ as, ...ask })
    expect(ear.status, ear.text()).toBe(200)
    await ear.until(() => ear.lastId() >= 0)
    return ear
  }

  /** Appends an event of the reader's own account. When it arrives, everything before it has. @returns its position */
  async function marked({ id: staffId }: Pick<FeedReader, 'id'>): Promise<number> {
    await service.run(async (unit) => unit.appendEvent(staffEvents, staffId, StaffRenamed({ staffId, name: 'marked' })))
    return (await service.licensing.store.readStream(staffEvents.nameFor(staffId))).at(-1)!.position
  }

  async function heardAll(ear: SseClient, who: Pick<FeedReader, 'id'>): Promise<void> {
    const position = await marked(who)
    await ear.until(() => ear.lastId() >= position)
  }

  return { reader, open, opened, marked, heardAll }
}
