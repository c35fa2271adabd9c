/** The version of a record: what its ETag names, and that of two changes of one version one wins. */
import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { commandRunner } from '#kernel/commands/command-runner'
import type { CommandRunner } from '#kernel/commands/command-runner'
import type { StreamState } from '#kernel/commands/state-cache'
import { eventCodec } from '#kernel/events/codec'
import { decider } from '#kernel/events/decider'
import { event, stream } from '#kernel/events/event'
import type { EventStore } from '#kernel/events/store-port'
import { ifUnchanged, versionBy, withETag } from '#kernel/http/record-version'
import type { RecordCall } from '#kernel/http/record-version'
import { manualClock } from '#kernel/lib/clock'
import { memoryStore } from '#kernel/store/memory/memory-store'
import { postgresStore } from '#kernel/store/postgres/postgres-store'
import { memoryKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'
import { testDatabase } from '../../support/database.ts'
import { AT } from '../../support/decider-spec.ts'
import { caller } from '../../support/kernel/http-rig.ts'

const Named = event('Named', 'thingId', { thingId: z.string(), name: z.string() }, () => 'named')
const Seen = event('Seen', 'thingId', { thingId: z.string() }, () => 'seen')
const things = decider(stream('thing', [Named, Seen]), {
  initial: undefined as { readonly name: string; readonly seen: number } | undefined,
  evolve: {
    Named: (thing, { name }) => ({ seen: thing?.seen ?? 0, name }),
    Seen: (thing) => ({ ...thing!, seen: thing!.seen + 1 }),
  },
  commands: {
    Name: (_thing, named: { thingId: string; name: string }) => [Named(named)],
    See: (_thing, thingId: string) => [Seen({ thingId })],
  },
})
/** Seeing is no other version. */
const version = versionBy(things, 'id', ({ name }) => name)

const WHO = { actor: { type: 'SYSTEM', id: 'test' }, requestId: 'test' }
const vault = openVault({ store: memoryKeyStore(), kek: randomBytes(32) })
const processOn = (store: EventStore): CommandRunner =>
  commandRunner(store, eventCodec([things.stream], vault), manualClock(AT))
const callOf = (id: string): RecordCall => ({ params: { id }, caller: caller('staff', []) })
const answered = async () => ({ status: 200, headers: {} })

const name = ({ run }: CommandRunner, thingId: string, to: string) =>
  run(WHO, (unit) => unit.decide(things, thingId, 'Name', { thingId, name: to }))

const nameIf = ({ run }: CommandRunner, thingId: string, ifMatch: string, to: string) =>
  run(
    WHO,
    ifUnchanged(version, ifMatch, { vault, call: callOf(thingId) }, (unit) =>
      unit.decide(things, thingId, 'Name', { thingId, name: to }),
    ),
  )

async function etagOf(commands: CommandRunner, thingId: string): Promise<string> {
  const parts = { vault, commands, call: callOf(thingId), waitUntilCaughtUp: async () => true }
  return (await withETag(version, parts, answered)).headers['ETag'] as string
}

const CHANGED = { statusCode: 412, code: 'CHANGED_SINCE' }

const database = await testDatabase()
afterAll(() => database.drop())

describe.each<[string, () => EventStore]>([
  ['memory', () => memoryStore()],
  ['postgres', () => postgresStore({ url: database.url })],
])('on %s', (_kind, opened) => {
  test('of changes of one version in several processes, one wins', async () => {
    const store = opened()
    const processes = [processOn(store), processOn(store), processOn(store)]
    for (let round = 0; round < 10; round += 1) {
      const id = crypto.randomUUID()
      await name(processes[0]!, id, 'first')
      const etag = await etagOf(processes[1]!, id)
      const tried = await Promise.allSettled(
        [0, 1, 2, 3, 4, 5].map((each) => nameIf(processes[each % 3]!, id, etag, `name ${each}`)),
      )
      const refused = tried.filter((each) => each.status === 'rejected')
      expect(refused.map(({ reason }) => reason as unknown)).toMatchObject(Array.from({ length: 5 }, () => CHANGED))
      expect(await store.readStream(`thing-${id}`)).toHaveLength(2)
    }
  })
})

test('a change is refused by the version that was read before another change, and not by its own', async () => {
  const commands = processOn(memoryStore())
  await name(commands, '1', 'first')
  const first = await etagOf(commands, '1')
  await nameIf(commands, '1', first, 'second')
  await expect(nameIf(commands, '1', first, 'third')).rejects.toMatchObject(CHANGED)
  const second = await etagOf(commands, '1')
  expect(second).not.toBe(first)
  await commands.run(WHO, (unit) => unit.decide(things, '1', 'See', '1'))
  expect(await etagOf(commands, '1'), 'the record shows nothing new').toBe(second)
  await nameIf(commands, '1', `"another", ${second}`, 'third')
  await nameIf(commands, '1', '*', 'fourth')
  for (const tag of [`W/${await etagOf(commands, '1')}`, 'fourth', ''])
    await expect(nameIf(commands, '1', tag, 'fifth'), tag).rejects.toMatchObject(CHANGED)
})

test('two records that hold the same have a tag that tells nothing to who lacks the key', async () => {
  const [one, other] = [processOn(memoryStore()), openVault({ store: memoryKeyStore(), kek: randomBytes(32) })]
  await name(one, '1', 'Ada')
  const parts = { vault: other, commands: one, call: callOf('1'), waitUntilCaughtUp: async () => true }
  expect((await withETag(version, parts, answered)).headers['ETag']).not.toBe(await etagOf(one, '1'))
})

describe('the answer of a GET has an ETag', () => {
  const state = (revision: number, name: string): StreamState => ({ state: { name }, revision, position: revision })

  /** Streams as they are read, one after another. */
  function reading(states: readonly StreamState[], isCaughtUp = true) {
    const left = [...states]
    const commands = { newest: async () => left.shift() ?? states.at(-1)! } as unknown as CommandRunner
    let answers = 0
    const parts = { vault, commands, call: callOf('1'), waitUntilCaughtUp: async () => isCaughtUp }
    const answer = async () => ({ status: 200, headers: {}, body: String((answers += 1)) })
    return withETag(version, parts, answer)
  }

  test('unless the read models do not show the record as it is', async () => {
    expect(await reading([state(1, 'a')])).toMatchObject({ headers: { ETag: expect.stringMatching(/^"[\w-]{43}"$/) } })
    expect((await reading([state(1, 'a')], false)).headers).toEqual({})
  })

  test('of what it shows, read again if the record changes meanwhile', async () => {
    const { headers, body } = await reading([state(1, 'a'), state(2, 'b'), state(2, 'b'), state(2, 'b')])
    expect(body).toBe('2')
    expect(headers).toEqual((await reading([state(2, 'b')])).headers)
  })

  test('unless the record changes each time', async () => {
    const { headers, body } = await reading([1, 2, 3, 4, 5, 6, 7].map((each) => state(each, `${each}`)))
    expect([headers, body]).toEqual([{}, '3'])
  })
})
