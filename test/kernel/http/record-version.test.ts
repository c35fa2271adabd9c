/** The version of a record: what its ETag names, and that of two changes of one version one wins. */
import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { commandRunner } from '#kernel/commands/command-runner'
import type { CommandRunner } from '#kernel/commands/command-runner'
import { eventCodec } from '#kernel/events/codec'
import { decider } from '#kernel/events/decider'
import { event, stream } from '#kernel/events/event'
import type { EventStore } from '#kernel/events/store-port'
import { etagOf, ifUnchanged, recordVersion } from '#kernel/http/record-version'
import type { RecordCall } from '#kernel/http/record-version'
import { manualClock } from '#kernel/lib/clock'
import { reject } from '#kernel/lib/rejection'
import { serviceRegistry } from '#kernel/lib/services'
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
const version = recordVersion(z.object({ name: z.string() }), (unit, { params }) => unit.look(things, params['id']))

const WHO = { actor: { type: 'SYSTEM', id: 'test' }, requestId: 'test' }
const vault = openVault({ store: memoryKeyStore(), kek: randomBytes(32) })
const processOn = (store: EventStore): CommandRunner =>
  commandRunner(store, eventCodec([things.stream], vault), manualClock(AT))
const callOf = (id: string): RecordCall => ({ params: { id }, caller: caller('staff', []), service: serviceRegistry() })

const name = ({ run }: CommandRunner, thingId: string, to: string) =>
  run(WHO, (unit) => unit.decide(things, thingId, 'Name', { thingId, name: to }))

const nameIf = ({ run }: CommandRunner, thingId: string, ifMatch: string, to: string) =>
  run(
    WHO,
    ifUnchanged(version, ifMatch, { vault, call: callOf(thingId) }, (unit) =>
      unit.decide(things, thingId, 'Name', { thingId, name: to }),
    ),
  )

const shownBy = ({ run }: CommandRunner, thingId: string) => run(WHO, (unit) => unit.look(things, thingId))

const tagOf = async (commands: CommandRunner, thingId: string): Promise<string> =>
  etagOf(version, vault, await shownBy(commands, thingId))

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
      const etag = await tagOf(processes[1]!, id)
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
  const first = await tagOf(commands, '1')
  await nameIf(commands, '1', first, 'second')
  await expect(nameIf(commands, '1', first, 'third')).rejects.toMatchObject(CHANGED)
  const second = await tagOf(commands, '1')
  expect(second).not.toBe(first)
  await commands.run(WHO, (unit) => unit.decide(things, '1', 'See', '1'))
  expect(await tagOf(commands, '1'), 'the record shows nothing new').toBe(second)
  await nameIf(commands, '1', `"another", ${second}`, 'third')
  await nameIf(commands, '1', '*', 'fourth')
  for (const tag of [`W/${await tagOf(commands, '1')}`, 'fourth', ''])
    await expect(nameIf(commands, '1', tag, 'fifth'), tag).rejects.toMatchObject(CHANGED)
})

test('the tag tells nothing to who lacks the key', async () => {
  const other = openVault({ store: memoryKeyStore(), kek: randomBytes(32) })
  expect(await etagOf(version, vault, { name: 'Ada' })).toMatch(/^"[\w-]{43}"$/)
  expect(await etagOf(version, other, { name: 'Ada' })).not.toBe(await etagOf(version, vault, { name: 'Ada' }))
})

test('the tag of an answer is that of the record, whatever else the answer holds', async () => {
  expect(await etagOf(version, vault, { seen: 3, name: 'Ada', counts: {} })).toBe(
    await etagOf(version, vault, { name: 'Ada' }),
  )
})

test('a change of a record that is not there is refused by the change itself', async () => {
  const commands = processOn(memoryStore())
  const work = ifUnchanged(version, '"any"', { vault, call: callOf('none') }, async () =>
    reject('notFound', 'None', 'NONE'),
  )
  await expect(commands.run(WHO, work)).rejects.toMatchObject({ statusCode: 404 })
})
