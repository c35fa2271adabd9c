import { createHash } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { parseTrustedProxies } from '#kernel/identity/source-address'
import { startService } from '#test/licensing/service'
import type { Reply } from '#test/licensing/service'
import { signIn, somebodyNew } from '#test/licensing/people'

vi.unmock('#kernel/identity/argon2-cost')

const service = await startService({ trustedProxies: parseTrustedProxies('127.0.0.1'), compareReadModels: false })
const password = 'not the password at all'
const UNKNOWN = 'nobody@staff.test'

const said = ({ status, text, headers }: Reply) =>
  JSON.stringify([status, text, [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))])

test('when sign-ins are turned away for being too many, nothing tells a known address from an unknown one', async () => {
  const { email } = await somebodyNew(service)
  const tries = Array.from({ length: 200 }, (_, n) => signIn(service, { email: n % 2 ? email : UNKNOWN, password }))
  const replies = (await Promise.all(tries)).map(({ reply }, n) => ({ reply, isKnown: n % 2 === 1 }))
  const away = replies.filter(({ reply }) => reply.status === 503)
  expect(new Set(away.map(({ isKnown }) => isKnown)).size).toBe(2)
  expect([...new Set(away.map(({ reply }) => said(reply)))]).toHaveLength(1)
})

test('one address that floods the way in keeps nobody else out', async () => {
  const owner = await somebodyNew(service)
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

test('the counters name no address to whoever tries all of them, and are gone a day after', async () => {
  const ip = '198.51.100.8'
  const counters = async () =>
    (await service.superuser.query(`SELECT key FROM telemetry.attempt WHERE key LIKE 'address:%'`)).rows
  await service.superuser.query('DELETE FROM telemetry.attempt')
  await signIn(service, { email: UNKNOWN, password }, { headers: { 'x-forwarded-for': ip } })
  const hashes = (await counters()).map(({ key }) => key.replace('address:', ''))
  expect(hashes).toHaveLength(1)
  expect(hashes).not.toContain(createHash('sha256').update(ip).digest('hex'))
  await service.superuser.query(`UPDATE telemetry.attempt SET last_at = last_at - interval '25 hours'`)
  await signIn(service, await somebodyNew(service))
  expect((await counters()).map(({ key }) => key)).not.toContain(`address:${hashes[0]}`)
})

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50))
}
