import { createHash } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { cookieIn, signIn, newStaff } from '#test/support/licensing/people'
import { startService } from '#test/support/licensing/service'
import type { Reply } from '#test/support/licensing/service'

vi.unmock('#kernel/credentials/argon2-cost')

const service = await startService({ trustedProxies: parseTrustedProxies('127.0.0.1'), compareReadModels: false })
const password = 'not the password at all'
const UNKNOWN = 'nobody@staff.test'

const said = ({ status, text, headers }: Reply) =>
  JSON.stringify([status, text, [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))])

test('when sign-ins are turned away for being too many, nothing tells a known address from an unknown one', async () => {
  const { email } = await newStaff(service)
  const tries = Array.from({ length: 200 }, (_, n) => signIn(service, { email: n % 2 ? email : UNKNOWN, password }))
  const replies = (await Promise.all(tries)).map(({ reply }, n) => ({ reply, isKnown: n % 2 === 1 }))
  const away = replies.filter(({ reply }) => reply.status === 503)
  expect(new Set(away.map(({ isKnown }) => isKnown)).size).toBe(2)
  expect([...new Set(away.map(({ reply }) => said(reply)))]).toHaveLength(1)
})

test('one address that floods the way in keeps nobody else out', async () => {
  const owner = await newStaff(service)
  const headers = { 'x-forwarded-for': '198.51.100.7' }
  let isOver = false
  const flood = Array.from({ length: 120 }, async () => {
    while (!isOver) await signIn(service, { email: UNKNOWN, password }, { headers })
  })
  await until(async () => (await signIn(service, owner, { headers })).reply.status === 401)
  const statuses = []
  for (let n = 0; n < 5; n += 1) statuses.push((await signIn(service, owner)).reply.status)
  isOver = true
  await Promise.all(flood)
  expect(statuses).toEqual([200, 200, 200, 200, 200])
})

describe('240 wrong sign-ins at once from twelve /64s of one /48 (A17)', () => {
  const fromBlock = (n: number) => ({ 'x-forwarded-for': `2001:db8:17:${(n % 12).toString(16)}::${n.toString(16)}` })

  test('every honest one is answered with its true answer: from elsewhere, and by a known device from within', async () => {
    const [known, ...others] = await Promise.all(Array.from({ length: 5 }, () => newStaff(service)))
    const { reply: before } = await signIn(service, known!)
    const cookie = `daybook_staff_device=${cookieIn(before, 'daybook_staff_device')}`
    const storm = Array.from({ length: 240 }, (_, n) =>
      signIn(service, { email: `nobody-${n}@staff.test`, password }, { headers: fromBlock(n) }),
    )
    const honest = [
      ...others.map((person) => signIn(service, person)),
      ...others.map((person) => signIn(service, { ...person, password: 'mistyped, and honest all the same' })),
      signIn(service, known!, { headers: { ...fromBlock(3), cookie } }),
    ]
    const statuses = (await Promise.all(honest)).map(({ reply }) => reply.status)
    expect(statuses).toEqual([200, 200, 200, 200, 401, 401, 401, 401, 200])
    for (const { reply } of await Promise.all(storm)) expect([401, 503]).toContain(reply.status)
    // The block has used up its limit. From within it, a right password on an unknown device is not examined.
    const [stranger] = others
    expect((await signIn(service, stranger!, { headers: fromBlock(99) })).reply.status).toBe(401)
    expect((await signIn(service, stranger!)).reply.status).toBe(200)
  })

  test('a try that is turned away before it is looked at is counted nowhere', async () => {
    const owner = await newStaff(service)
    await service.superuser.query('DELETE FROM telemetry.attempt')
    const crowd = Array.from({ length: 300 }, () => signIn(service, owner))
    const statuses = (await Promise.all(crowd)).map(({ reply }) => reply.status)
    expect(new Set(statuses)).toContain(503)
    const failures = `SELECT coalesce(sum(cardinality(recent)), 0)::int AS number FROM telemetry.attempt WHERE key LIKE 'address:%'`
    const counted = (await service.superuser.query(failures)).rows[0].number
    // Three blocks each.
    expect(counted).toBe(3 * statuses.filter((status) => status === 401).length)
  })
})

test('the counters name no address to whoever tries all of them, and are gone a day after', async () => {
  const ip = '198.51.100.8'
  const counters = async () =>
    (await service.superuser.query(`SELECT key FROM telemetry.attempt WHERE key LIKE 'address:%'`)).rows
  await service.superuser.query('DELETE FROM telemetry.attempt')
  await signIn(service, { email: UNKNOWN, password }, { headers: { 'x-forwarded-for': ip } })
  const hashes = (await counters()).map(({ key }) => key.replace('address:', ''))
  expect(hashes, 'of the address and of its /24').toHaveLength(2)
  for (const name of [ip, '198.51.100.0/24'])
    expect(hashes).not.toContain(createHash('sha256').update(name).digest('hex'))
  await service.superuser.query(`UPDATE telemetry.attempt SET last_at = last_at - interval '25 hours'`)
  await signIn(service, await newStaff(service))
  const left = (await counters()).map(({ key }) => key.replace('address:', ''))
  expect(left.filter((hash) => hashes.includes(hash))).toEqual([])
})

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50))
}
