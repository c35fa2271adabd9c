/** An invented event with three versions: written in the first shape, read in the third, and never rewritten. */
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { commandRunner } from '#kernel/commands/command-runner'
import { eventCodec } from '#kernel/events/codec'
import { decider } from '#kernel/events/decider'
import { event, sealed, stream } from '#kernel/events/event'
import type { CommandContext } from '#kernel/events/event'
import { manualClock } from '#kernel/lib/clock'
import { projector } from '#kernel/projections/projector'
import { kyselyFor } from '#kernel/projections/read-database'
import { key, nullable, readModel, sealedText, text } from '#kernel/projections/read-model'
import { servicePool } from '#kernel/store/connection'
import { postgresStore } from '#kernel/store/postgres/postgres-store'
import { memoryKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'
import { auditTrail } from '#projections/audit-trail'
import { testDatabase } from '#test/support/database'
import type { TestDatabase } from '#test/support/database'

const AT = new Date('2026-01-01T00:00:00.000Z')
const CONTEXT: CommandContext = { actor: { type: 'SYSTEM', id: 'test' }, requestId: 'test' }
const memberId = '01890000-0000-7000-8000-00000000e001'
const sealedFor = (data: { memberId: string }) => `member/${data.memberId}`

/** The first version of the event, as the old code declared and wrote it. */
const NamedThen = event(
  'MemberNamed',
  'memberId',
  { memberId: z.uuid(), email: sealed(z.string()), name: z.string() },
  ({ name }) => `named member ${name}`,
  { sealedFor },
)
const membersThen = decider(stream('member', [NamedThen]), {
  initial: undefined,
  evolve: { MemberNamed: () => undefined },
  commands: { Name: (_state, ask: { memberId: string; email: string; name: string }) => [NamedThen(ask)] },
})

/** Version 2 split the name; version 3 added a second sealed field. */
const MemberNamed = event(
  'MemberNamed',
  'memberId',
  {
    memberId: z.uuid(),
    email: sealed(z.string()),
    phone: sealed(z.string().nullable()),
    first: z.string(),
    last: z.string(),
  },
  ({ first, last }) => `named member ${last}, ${first}`,
  {
    sealedFor,
    upcasters: [
      ({ name, ...data }) => {
        const [first = '', last = ''] = (name as string).split(' ')
        return { ...data, first, last }
      },
      (data) => ({ ...data, phone: null }),
    ],
  },
)
const memberEvents = stream('member', [MemberNamed])
const members = decider(memberEvents, {
  initial: [] as readonly unknown[],
  evolve: { MemberNamed: (names, data) => [...names, data] },
  commands: {
    Marry: (names, { last }: { last: string }) => [
      MemberNamed({ ...(names.at(-1) as { memberId: string }), last } as never),
    ],
  },
})

const subject = ({ id }: { id: string }) => `member/${id}`
const memberTable = readModel('memberNames', 1, {
  id: key,
  first: text,
  last: text,
  email: sealedText('email', subject),
  phone: nullable(sealedText('phone', subject)),
}).from(memberEvents, {
  MemberNamed: (table, { memberId: id, ...names }) => {
    table.remove({ id })
    table.insert({ id, ...names })
  },
})

let database: TestDatabase
const ends: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
  await database.drop()
})

test('decider, read model and audit trail see the newest shape of what was stored long ago', async () => {
  const service = servicePool(database.url, { role: 'daybook_service' })
  const projecting = servicePool(database.url, { role: 'daybook_projector' })
  const owner = new pg.Pool({ connectionString: database.url, max: 1 })
  const store = postgresStore({ pool: service })
  ends.push(...[service, projecting, owner].map((pool) => () => pool.end()), () => store.close())
  const vault = openVault({ store: memoryKeyStore(), kek: Buffer.alloc(32, 5) })
  const clock = manualClock(AT)

  const then = commandRunner(store, eventCodec([membersThen.stream], vault), clock)
  const ada = { memberId, email: 'ada@member.test', name: 'Ada Byron' }
  await then.run(CONTEXT, (unit) => unit.decide(membersThen, memberId, 'Name', ada))
  const stored = async () =>
    (await owner.query('SELECT schema_version, data::text FROM store.event WHERE pos = 1')).rows[0]
  const before = await stored()
  expect(before).toEqual({ schema_version: 1, data: expect.stringContaining('"name":"Ada Byron"') })

  const codec = eventCodec([memberEvents], vault)
  const now = commandRunner(store, codec, clock)
  const byron = { memberId, email: 'ada@member.test', phone: null, first: 'Ada', last: 'Byron' }
  await now.run(CONTEXT, async (unit) => {
    expect(await unit.load(members, memberId)).toEqual([byron])
    await unit.decide(members, memberId, 'Marry', { last: 'Lovelace' })
  })
  expect((await store.readStream(`member-${memberId}`)).map(({ schemaVersion }) => schemaVersion)).toEqual([1, 3])

  const models = [memberTable, auditTrail]
  const readSide = projector({ store, codec, database: kyselyFor(projecting), models })
  await readSide.prepare()
  await readSide.catchUp()
  const rows = async () => memberTable.open(vault, await memberTable.queryIn(kyselyFor(service)).selectAll().execute())
  const lovelace = { id: memberId, first: 'Ada', last: 'Lovelace', email: 'ada@member.test', phone: null }
  expect(await rows()).toEqual([lovelace])
  const trail = await auditTrail.queryIn(kyselyFor(service)).selectAll().orderBy('position').execute()
  expect(trail.map(({ sentence, details }) => ({ sentence, details }))).toEqual([
    { sentence: 'named member Byron, Ada', details: { memberId, first: 'Ada', last: 'Byron' } },
    { sentence: 'named member Lovelace, Ada', details: { memberId, first: 'Ada', last: 'Lovelace' } },
  ])

  await readSide.rebuild()
  expect(await rows()).toEqual([lovelace])
  expect(await stored(), 'the stored event is what it was').toEqual(before)
})
