/**
 * A mail across processes: a command in one, a worker in another, and a real mail server. The worker is
 * killed before and after sending.
 */
import { afterAll, expect, test } from 'vitest'
import { smtpInbox } from '#test/support/smtp-inbox'
import type { RunningProcess } from '../support/processes/process.ts'
import { openSite, signIn } from '../support/processes/site.ts'

const office = await smtpInbox()
const site = await openSite({ SMTP_URL: office.url, MAIL_FROM: 'Daybook <daybook@vendor.example>' })
afterAll(async () => {
  await site.close()
  await office.close()
}, 60_000)

async function worker(): Promise<RunningProcess> {
  const running = site.run(['worker'])
  await running.until('worker started')
  return running
}

test('a member of staff gets the link, and gets it once, though workers are killed', { timeout: 120_000 }, async () => {
  const service = await site.service()
  const as = await signIn(service)
  const body = { email: 'grace@staff.test', name: 'Grace', roles: ['SUPPORT'] }
  const added = await service.call('POST', '/api/admin/staff', { as, body })
  expect(added).toMatchObject({ status: 201, body: { link: null } })
  expect(office.received).toHaveLength(0)

  const first = await worker()
  const [mail] = await office.until(1, 60_000)
  expect(mail).toMatchObject({ from: 'daybook@vendor.example', to: ['grace@staff.test'] })
  expect(mail!.text).toMatch(/^http:\/\/licensing\.test\//m)
  const pending = () => site.superuser.query('SELECT FROM telemetry.work_pending')
  await expect.poll(async () => (await pending()).rowCount, { timeout: 30_000 }).toBe(0)
  await first.stop('SIGKILL')

  // All jobs that a worker could run again.
  await site.superuser.query('DELETE FROM bullmq.job')
  const second = await worker()
  await service.call('POST', '/api/admin/staff', { as, body: { ...body, email: 'barbara@staff.test' } })
  await office.until(2, 60_000)
  expect(office.received.map(({ to }) => to)).toEqual([['grace@staff.test'], ['barbara@staff.test']])
  expect(new Set(office.received.map(({ headers }) => headers['message-id'])).size).toBe(2)
  expect(second.said() + first.said()).not.toMatch(/grace|barbara/)
  await second.stop()
})
