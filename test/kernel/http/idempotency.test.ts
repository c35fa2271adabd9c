import { randomBytes, randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { forgetIdempotentCalls } from '#kernel/http/idempotency'
import { answer, everyone, route } from '#kernel/http/route'
import type { HttpServerDependencies } from '#kernel/http/server'
import { manualClock } from '#kernel/lib/clock'
import { reject } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { servicePool } from '#kernel/store/connection'
import { memoryKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'
import { testDatabase } from '#test/support/database'
import type { TestDatabase } from '#test/support/database'
import { START, caller, rig } from '../../support/kernel/http-rig.ts'
import type { Reply, Rig } from '../../support/kernel/http-rig.ts'

const DAY_MS = 86_400_000
const manage = { kinds: ['staff', 'token'] }
const Thing = z.object({ number: z.int(), name: z.string(), secret: z.string().optional() })

const PLACE = { subject: 'installation', type: 'IdempotentCall', field: 'answer' }
const Box = z.object({ seal: z.string(), things: z.array(Thing) })

/** The effects of all handler calls, in order. */
let made: string[] = []
let next: ((name: string) => Promise<void>) | undefined
let guards: (name: string) => void = () => {}
let showsAgain: (names: string[]) => Promise<void> = async () => {}

const routes = [
  route('POST /api/admin/things', {
    does: 'Make a thing.',
    access: manage,
    status: 201,
    body: z.strictObject({ name: z.string().trim(), size: z.int().default(1) }),
    reply: Thing,
    shownOnce: ['secret'],
    handle: async ({ body: { name }, run }) => {
      await next?.(name)
      await run(async () => 'strict')
      made.push(name)
      return answer({ number: made.length, name, secret: 'canary-secret' }, 201, {
        'Cache-Control': 'private',
        'Set-Cookie': 'crumb=1',
      })
    },
  }),
  route('POST /api/admin/boxes', {
    does: 'Make a box of things, whose inner secrets may be shown again.',
    access: manage,
    body: z.strictObject({ name: z.string() }),
    reply: Box,
    guard: ({ body }) => guards(body.name),
    shownOnce: ['secret', 'seal'],
    showAgain: async ({ run }, kept) => {
      const { things } = Box.pick({ things: true }).parse(kept)
      await showsAgain(things.map(({ name }) => name))
      await run(async () => 'strict')
      return { seal: `seal ${(made.push('shown'), made.length)}`, undeclared: 'canary' } as { seal: string }
    },
    handle: async ({ body: { name }, run }) => {
      await run(async () => 'strict')
      return { seal: `seal ${made.push(name)}`, things: [{ number: 1, name, secret: 'canary-inner' }] }
    },
  }),
  route('DELETE /api/admin/things', {
    does: 'Remove all things.',
    access: manage,
    handle: async () => void made.push('removed'),
  }),
  route('POST /api/admin/things/:id/part', {
    does: 'Make a part of a thing.',
    access: manage,
    body: z.strictObject({ otherId: uuid }),
    handle: async ({ params: { id } }) => void made.push(id),
  }),
  route('POST /api/open', {
    does: 'Answer every caller.',
    access: everyone,
    status: 201,
    handle: async () => void made.push('open'),
  }),
  route('GET /api/admin/things', {
    does: 'Read.',
    access: manage,
    reply: z.object({ number: z.int() }),
    handle: async () => ({ number: made.push('read') }),
  }),
]

let database: TestDatabase
let telemetry: Pool
let server: Rig
const vault = openVault({ store: memoryKeyStore(), kek: randomBytes(32) })
const clock = { ...manualClock(START), now: () => new Date(START.getTime() + aheadMs) }
let aheadMs = 0
let happened: boolean | undefined
let shows = true

beforeAll(async () => {
  database = await testDatabase()
  telemetry = servicePool(database.url, { role: 'daybook_service' })
  const parts: Partial<HttpServerDependencies> = {
    telemetry,
    vault,
    clock,
    hasRecorded: async () => happened,
    waitUntilCaughtUp: async () => shows,
    authenticate: async ({ authorization: [sent] }) => {
      const [, name] = /^Bearer (\w+)$/.exec(sent ?? '') ?? []
      return name === undefined ? undefined : { ...caller('staff', []), actor: { type: 'STAFF', id: name } }
    },
  }
  server = await rig(routes, parts)
})
afterAll(async () => {
  await server.close()
  await telemetry.end()
  await database.drop()
})

let keys = 0
const aKey = () => `key-${(keys += 1)}`

interface Asked {
  readonly key?: string | string[]
  readonly body?: unknown
  readonly as?: string
}

const post = ({ key, body = { name: 'one' }, as = 'ada' }: Asked = {}): Promise<Reply> =>
  server.call('POST', '/api/admin/things', {
    token: as,
    body,
    headers: key === undefined ? {} : { 'Idempotency-Key': key },
  })

/** How often a handler ran during the work. */
async function counted(work: () => Promise<void>): Promise<number> {
  made = []
  await work()
  return made.length
}

describe('the same key again', () => {
  it('does nothing, and is answered as the first time without what is shown once', async () => {
    const key = aKey()
    const times = await counted(async () => {
      const first = await post({ key })
      expect([first.status, first.json]).toEqual([201, { number: 1, name: 'one', secret: 'canary-secret' }])
      expect(first.headers).not.toHaveProperty('idempotent-replayed')
      const second = await post({ key })
      expect([second.status, second.json]).toEqual([201, { number: 1, name: 'one' }])
      expect(second.headers).toMatchObject({
        'idempotent-replayed': 'true',
        'cache-control': 'private',
        'event-position': first.headers['event-position'],
      })
      expect(second.headers).not.toHaveProperty('set-cookie')
      expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
    })
    expect(times).toBe(1)
  })

  it('may spell the same body otherwise', async () => {
    const key = aKey()
    const times = await counted(async () => {
      await post({ key, body: { name: ' one ', size: 1 } })
      expect((await post({ key, body: { size: 1, name: 'one' } })).headers).toHaveProperty('idempotent-replayed')
    })
    expect(times).toBe(1)
  })

  it('may spell the same ids otherwise', async () => {
    const key = aKey()
    const [id, otherId] = [randomUUID(), randomUUID()]
    const ask = (spelled: (id: string) => string) =>
      server.call('POST', `/api/admin/things/${spelled(id)}/part`, {
        token: 'ada',
        headers: { 'idempotency-key': key },
        body: { otherId: spelled(otherId) },
      })
    const times = await counted(async () => {
      expect((await ask((each) => each.toUpperCase())).status).toBe(204)
      expect((await ask((each) => each)).headers).toHaveProperty('idempotent-replayed')
    })
    expect(times).toBe(1)
    expect(made.at(-1)).toBe(id)
  })

  it.each([
    ['another body', { body: { name: 'two' } }],
    ['a default that was given otherwise', { body: { name: 'one', size: 2 } }],
  ])('is refused with %s', async (_what, other) => {
    const key = aKey()
    const times = await counted(async () => {
      await post({ key })
      const refused = await post({ key, ...other })
      expect(refused.json).toEqual({
        statusCode: 409,
        message: 'The Idempotency-Key was used for another request: use a new key',
      })
      expect(refused.headers['error-code']).toBe('IDEMPOTENCY_KEY_REUSED')
    })
    expect(times).toBe(1)
  })

  it('is refused on another route', async () => {
    const key = aKey()
    await post({ key })
    const refused = await server.call('DELETE', '/api/admin/things', {
      token: 'ada',
      headers: { 'idempotency-key': key },
    })
    expect(refused.status).toBe(409)
  })

  it('is somebody else’s key when somebody else sends it', async () => {
    const key = aKey()
    const times = await counted(async () => {
      for (const as of ['ada', 'grace'])
        expect((await post({ key, as })).headers).not.toHaveProperty('idempotent-replayed')
    })
    expect(times).toBe(2)
  })

  it('repeats what has no body', async () => {
    const headers = { 'idempotency-key': aKey() }
    const times = await counted(async () => {
      for (let time = 0; time < 3; time += 1)
        expect((await server.call('DELETE', '/api/admin/things', { token: 'ada', headers })).status).toBe(204)
    })
    expect(times).toBe(1)
  })

  it('holds for 24 hours and is new then', async () => {
    const key = aKey()
    const times = await counted(async () => {
      await post({ key })
      aheadMs += DAY_MS - 1
      expect((await post({ key })).headers).toHaveProperty('idempotent-replayed')
      aheadMs += 1
      expect((await post({ key })).headers).not.toHaveProperty('idempotent-replayed')
      expect((await post({ key })).headers).toHaveProperty('idempotent-replayed')
    })
    expect(times).toBe(2)
  })

  it('is answered with success only once what was taken away is gone everywhere', async () => {
    const key = aKey()
    shows = false
    const times = await counted(async () => {
      expect((await post({ key })).status).toBe(503)
      expect((await post({ key })).headers['error-code']).toBe('NOT_YET_IN_EFFECT')
      shows = true
      expect((await post({ key })).status).toBe(201)
    })
    expect(times).toBe(1)
  })
})

describe('what is asked before an answer is repeated', () => {
  const box = (key: string) =>
    server.call('POST', '/api/admin/boxes', {
      token: 'ada',
      body: { name: 'one' },
      headers: { 'idempotency-key': key },
    })
  const refuse = () => reject('forbidden', 'Not any more', 'NO_MORE')

  it('is the route’s guard, as before a first call: refused, it takes no key and repeats nothing', async () => {
    const key = aKey()
    const times = await counted(async () => {
      guards = refuse
      expect((await box(key)).json.message).toBe('Not any more')
      guards = (name) => expect(name).toBe('one')
      expect((await box(key)).status).toBe(200)
      guards = refuse
      const refused = await box(key)
      expect([refused.status, refused.text.includes('seal')]).toEqual([403, false])
      expect(refused.headers).not.toHaveProperty('idempotent-replayed')
      guards = () => {}
    })
    expect(times).toBe(1)
  })

  it('is what of its secrets may be shown now: made anew, and nothing that the reply does not declare', async () => {
    const key = aKey()
    made = []
    const first = await box(key)
    expect(first.json).toEqual({ seal: 'seal 1', things: [{ number: 1, name: 'one', secret: 'canary-inner' }] })
    const seen: string[][] = []
    showsAgain = async (names) => void seen.push(names)
    const again = await box(key)
    expect(again.json).toEqual({ seal: 'seal 2', things: [{ number: 1, name: 'one' }] })
    expect(seen).toEqual([['one']])
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(Number(again.headers['event-position'])).toBeGreaterThan(Number(first.headers['event-position']))
    showsAgain = async () => refuse()
    const refused = await box(key)
    expect([refused.status, refused.text.includes('seal')]).toEqual([403, false])
    showsAgain = async () => {}
    expect((await box(key)).json.seal).toBe('seal 3')
  })
})

describe('the same key at once', () => {
  it('runs one of 50; every other is refused or repeats it', async () => {
    const key = aKey()
    next = () => new Promise((resolve) => setTimeout(resolve, 50))
    const times = await counted(async () => {
      const all = await Promise.all(Array.from({ length: 50 }, () => post({ key })))
      next = undefined
      const firsts = all.filter(({ status, headers }) => status === 201 && !('idempotent-replayed' in headers))
      expect(firsts).toHaveLength(1)
      for (const { status, headers } of all)
        if (status !== 201) {
          expect(headers['error-code']).toBe('IDEMPOTENCY_IN_PROGRESS')
          expect(headers['retry-after']).toBe('1')
        }
    })
    expect(times).toBe(1)
  })
})

describe('a request that came to nothing', () => {
  it('leaves its key free when it was refused or failed before it changed anything', async () => {
    const key = aKey()
    const times = await counted(async () => {
      next = async () => reject('conflict', 'Not now')
      expect((await post({ key })).json.message).toBe('Not now')
      next = async () => Promise.reject(new Error('a bug'))
      expect((await post({ key })).status).toBe(500)
      next = undefined
      expect((await post({ key })).status).toBe(201)
    })
    expect(times).toBe(1)
  })

  it('keeps it when it died after it had changed something', async () => {
    const key = aKey()
    const times = await counted(async () => {
      await post({ key, as: 'dying' })
      await telemetry.query(`UPDATE telemetry.idempotent_call SET answer = NULL, lost = true WHERE at = $1`, [
        clock.now(),
      ])
      const lost = await post({ key, as: 'dying' })
      expect(lost.headers['error-code']).toBe('IDEMPOTENCY_ANSWER_LOST')
    })
    expect(times).toBe(1)
  })

  describe('because its process was killed', () => {
    async function killed(): Promise<string> {
      const key = aKey()
      aheadMs += 1_000
      await post({ key })
      await telemetry.query(`UPDATE telemetry.idempotent_call SET answer = NULL WHERE at = $1`, [clock.now()])
      return key
    }

    it('counts as under way for two minutes', async () => {
      const key = await killed()
      aheadMs += 2 * 60_000 - 1
      happened = false
      expect((await post({ key })).headers['error-code']).toBe('IDEMPOTENCY_IN_PROGRESS')
    })

    it.each([
      ['is done by the next one when nothing had happened', false, 201, undefined],
      ['is not done again when something had', true, 409, 'IDEMPOTENCY_ANSWER_LOST'],
      ['is not done again while nobody can tell', undefined, 409, 'IDEMPOTENCY_IN_PROGRESS'],
    ])('%s', async (_what, had, status, code) => {
      const key = await killed()
      aheadMs += 2 * 60_000
      happened = had
      const times = await counted(async () => {
        const all = await Promise.all([post({ key }), post({ key }), post({ key })])
        const telling = all.find((reply) => reply.status === status && !('idempotent-replayed' in reply.headers))
        expect(telling?.headers['error-code'], all.map(({ text }) => text).join()).toBe(code)
      })
      expect(times).toBe(had === false ? 1 : 0)
    })
  })
})

describe('what a key is', () => {
  it.each([
    ['empty', ''],
    ['with a space', 'a b'],
    ['too long', 'x'.repeat(256)],
    ['not ASCII', 'schl\u00fcssel'],
    ['sent twice', ['a', 'b']],
  ])('400 when it is %s', async (_what, key) => {
    const times = await counted(async () => {
      const refused = await post({ key })
      expect(refused.status).toBe(400)
      expect(refused.headers['error-code']).toBe('IDEMPOTENCY_KEY_INVALID')
    })
    expect(times).toBe(0)
  })

  it('means nothing where nothing is changed, or nobody asks', async () => {
    const headers = { 'idempotency-key': aKey() }
    const times = await counted(async () => {
      for (let time = 0; time < 2; time += 1) {
        expect((await server.call('GET', '/api/admin/things', { token: 'ada', headers })).status).toBe(200)
        expect((await server.call('POST', '/api/open', { headers })).status).toBe(201)
      }
    })
    expect(times).toBe(4)
  })
})

describe('what is kept', () => {
  it('holds neither the key, nor the body, nor the answer in clear', async () => {
    await post({ key: 'canary-key', body: { name: 'canary-name' } })
    const { rows } = await telemetry.query('SELECT t::text AS line FROM telemetry.idempotent_call t')
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toMatch(/canary|number/)
  })

  it('holds no secret, at whatever depth it stands', async () => {
    aheadMs += 1_000
    const headers = { 'idempotency-key': aKey() }
    await server.call('POST', '/api/admin/boxes', { token: 'ada', body: { name: 'one' }, headers })
    const newest = 'SELECT answer FROM telemetry.idempotent_call ORDER BY at DESC LIMIT 1'
    const { answer } = (await telemetry.query(newest)).rows[0]
    const kept = await vault.open(answer, PLACE)
    expect(kept).toContain('things')
    expect(kept).not.toMatch(/canary|seal/)
  })

  it('is shown without secrets that were kept by a former version', async () => {
    aheadMs += 1_000
    const key = aKey()
    await post({ key })
    const newest = 'SELECT id, answer FROM telemetry.idempotent_call ORDER BY at DESC LIMIT 1'
    const { id, answer } = (await telemetry.query(newest)).rows[0]
    const former = JSON.parse(await vault.open(answer, PLACE))
    former.ready.body = JSON.stringify({ ...JSON.parse(former.ready.body), secret: 'canary-former' })
    const sealed = await vault.seal(JSON.stringify(former), PLACE)
    await telemetry.query('UPDATE telemetry.idempotent_call SET answer = $2 WHERE id = $1', [id, sealed])
    const again = await post({ key })
    expect([again.status, again.text.includes('canary-former')]).toEqual([201, false])
  })

  it('keeps no answer that names somebody who is erased, and does nothing again for it', async () => {
    const [gone, other] = [randomUUID(), randomUUID()]
    const ask = (key: string, name: string) => post({ key, body: { name } })
    for (const id of [gone, other]) expect((await ask(`about-${id}`, `made for ${id}`)).status).toBe(201)
    const before = made.length
    await telemetry.query('SELECT vault.erase($1)', [[`thing/${gone}`]])
    expect(await ask(`about-${gone}`, `made for ${gone}`)).toMatchObject({
      status: 409,
      json: { message: expect.stringContaining('its response is lost') },
    })
    expect(await ask(`about-${other}`, `made for ${other}`)).toMatchObject({ status: 201 })
    await telemetry.query('UPDATE telemetry.idempotent_call SET names = NULL')
    await telemetry.query('SELECT vault.erase($1)', [[`thing/${randomUUID()}`]])
    expect(await ask(`about-${other}`, `made for ${other}`), 'of an older version, who knows').toMatchObject({
      status: 409,
    })
    expect(made.length).toBe(before)
  })

  it('is forgotten after 24 hours', async () => {
    const left = async () => (await telemetry.query('SELECT FROM telemetry.idempotent_call')).rowCount
    await post({ key: aKey() })
    await forget(DAY_MS - 1)
    expect(await left()).toBeGreaterThan(0)
    await forget(DAY_MS)
    expect(await left()).toBe(0)
  })

  const forget = (laterMs: number) => {
    const now = new Date(clock.now().getTime() + laterMs)
    const work = { telemetry, now, once: (_effect: string, does: () => Promise<unknown>) => does() }
    return forgetIdempotentCalls.run({ key: 'all', at: now }, work as never)
  }
})
