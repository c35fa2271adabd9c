/** A read model whose rows follow from earlier rows: live, in one go, beside a rival, and rebuilt. */
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { eventCodec } from '#kernel/events/codec'
import { event, stream } from '#kernel/events/event'
import { projector } from '#kernel/projections/projector'
import { kyselyFor } from '#kernel/projections/read-database'
import { integer, primary, readModel, text } from '#kernel/projections/read-model'
import { memoryStore } from '#kernel/store/memory/memory-store'
import { memoryKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'
import { pooledDatabase } from '#test/support/pooled-database'

const Moved = event('BallMoved', 'ballId', { ballId: z.uuid(), box: z.string() }, () => 'moved')
const Emptied = event('BallBoxEmptied', 'ballId', { ballId: z.uuid(), box: z.string() }, () => 'emptied')
const moving = stream('ball', [Moved, Emptied])
const codec = eventCodec([moving], openVault({ store: memoryKeyStore(), kek: Buffer.alloc(32, 7) }))

/** Balls with the box that each lies in, and boxes with the number of their balls. */
const model = readModel('balls', 1, { key: primary(text), box: text, balls: integer }, ['(box)'])
  .from(moving, {
    BallMoved: (table, { ballId, box }) => {
      const [ball] = table.find({ key: ballId })
      if (ball?.box === box) return
      for (const [name, change] of [[ball?.box, -1] as const, [box, 1] as const]) {
        if (name === undefined) continue
        const balls = (table.find({ key: name })[0]?.balls ?? 0) + change
        table.insert({ key: name, box: '', balls })
      }
      table.insert({ key: ballId, box, balls: 0 })
    },
    BallBoxEmptied: (table, { box }) => {
      for (const ball of table.find({ box })) table.insert({ ...ball, box: 'floor' })
      table.insert({ key: box, box: '', balls: 0 })
    },
  })
  .recalling({
    rows: ({ data }) => [{ key: data['ballId'] as string }, { box: data['box'] as string }, ...BOXES],
  })
const BOXES = ['red', 'blue', 'floor'].map((key) => ({ key }))

const { pool } = await pooledDatabase('daybook_projector')
beforeEach(() => pool.query('TRUNCATE read.projection, read.parked'))

const ballId = (nth: number) => `01890000-0000-7000-8000-${String(nth).padStart(12, '0')}`

function game() {
  const store = memoryStore()
  const follow = () => projector({ store, codec, database: kyselyFor(pool), models: [model] })
  const happen = (type: string, ball: number, box: string) =>
    store.append({
      parts: [
        {
          stream: `ball-${ballId(ball)}`,
          expected: 'any',
          events: [
            {
              id: crypto.randomUUID(),
              type,
              schemaVersion: 1,
              data: { ballId: ballId(ball), box },
              metadata: { at: new Date().toISOString(), actor: { type: 'SYSTEM', id: 'test' }, requestId: 'test' },
            },
          ],
        },
      ],
    })
  return { follow, happen, move: (ball: number, box: string) => happen('BallMoved', ball, box) }
}

const rows = async () => (await pool.query('SELECT key, box, balls FROM read.balls ORDER BY key')).rows
const ballsIn = async (box: string) =>
  (await pool.query('SELECT balls FROM read.balls WHERE key = $1', [box])).rows[0]?.balls

test('an event finds what earlier events left, in its own batch and before it', async () => {
  const { follow, move } = game()
  const live = follow()
  await live.prepare()
  await move(1, 'red')
  await live.catchUp()
  await move(1, 'blue')
  await move(1, 'red')
  await move(2, 'red')
  await live.catchUp()
  expect([await ballsIn('red'), await ballsIn('blue')]).toEqual([2, 0])
})

test('rows found by another field are those of the database and those that wait', async () => {
  const { follow, move, happen } = game()
  const live = follow()
  await live.prepare()
  await move(1, 'red')
  await move(2, 'blue')
  await live.catchUp()
  await move(3, 'red')
  await move(2, 'red')
  await happen('BallBoxEmptied', 1, 'red')
  await live.catchUp()
  expect((await rows()).filter(({ box }) => box === 'floor').map(({ key }) => key)).toEqual([1, 2, 3].map(ballId))
})

test('a rebuild of many rows, some in one go and some later, is what was filled step by step', async () => {
  const { follow, move, happen } = game()
  const live = follow()
  await live.prepare()
  for (let nth = 0; nth < 300; nth += 1) {
    await move(nth % 80, ['red', 'blue'][((nth * nth) % 3) % 2]!)
    if (nth % 90 === 0) await happen('BallBoxEmptied', nth % 80, 'blue')
    if (nth % 7 === 0) await live.catchUp()
  }
  await live.catchUp()
  const filled = await rows()
  expect(filled.length).toBeGreaterThan(80)
  await live.rebuild()
  expect(await rows()).toEqual(filled)
  await pool.query('TRUNCATE read.balls; UPDATE read.projection SET position = 0')
  await follow().catchUp()
  expect(await rows()).toEqual(filled)
})

test('of two processes that apply the same events, each event counts once', async () => {
  const { follow, move } = game()
  const [one, other] = [follow(), follow()]
  await one.prepare()
  for (let nth = 0; nth < 30; nth += 1) {
    await move(nth, 'red')
    await Promise.all([one.catchUp(), other.catchUp()])
  }
  expect(await ballsIn('red')).toBe(30)
})
