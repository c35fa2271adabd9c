/** Mail settings change while processes run: each use reads them again. A real worker and a real mail server. */
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { registerReactions } from '#kernel/jobs/reaction-subscriber'
import { createMailer } from '#kernel/mail/create-mailer'
import { mailSettings } from '#kernel/mail/mail-settings'
import { smtpInbox } from '#test/support/smtp-inbox'
import { openPanelCore, reactions } from '../../../src/composition/panel.ts'
import { openWorker } from '../../../src/composition/worker.ts'
import { startPanel } from '../../support/panel/service.ts'

const office = await smtpInbox()
const MAIL = {
  host: '127.0.0.1',
  port: Number(new URL(office.url).port),
  tls: 'OPTIONAL',
  from: 'Our panel <panel@vendor.example>',
}
const options = { mail: undefined, unsetVariables: ['PANEL_URL'] } as const
const panel = await startPanel({ ...options, mailAllow: ['127.0.0.1'] })
const inward = await startPanel({ ...options, compareReadModels: false })
await panel.licensed()
afterAll(() => office.close())

const boss = await panel.somebody('SUPERADMIN')
const configure = (body: unknown, whom = panel, { as } = boss) => whom.call('PATCH', '/api/admin/config', { as, body })
const unset = () => configure({ mail: { host: null, from: null }, urls: { panel: null } })
const tested = (as = boss.as, whom = panel) => whom.call('POST', '/api/admin/config/test-smtp', { as })
const canMail = async () => (await panel.call('GET', '/api/settings/public')).body.canMail

let invited = 0
async function invite() {
  const email = `guest-${(invited += 1)}@people.test`
  const { status, text, body } = await panel.call('POST', '/api/admin/users', { as: boss.as, body: { email } })
  expect(status, text).toBe(201)
  return { email, link: body.link as string | null, id: body.user.id as string }
}

/** A separate process: it shares only the database with the panel. */
async function elsewhere() {
  const log = pino({ level: 'silent' })
  const core = await openPanelCore(panel.settings, log)
  await core.projector.prepare()
  await registerReactions({ store: core.store, pool: core.pool }, reactions)
  core.projector.start()
  const worker = await openWorker(core, panel.settings, log)
  return async () => {
    await worker.close()
    await core.projector.stop()
    await core.close()
  }
}

test(
  'a link is shown until there is a mail server, then mailed by whatever worker runs, and shown again',
  { timeout: 120_000 },
  async () => {
    await unset()
    const close = await elsewhere()
    try {
      const first = await invite()
      expect([first.link, await canMail()]).toEqual([expect.stringContaining('#token='), false])
      const before = office.received.length
      expect((await configure({ mail: MAIL, urls: { panel: 'https://panel.example' } })).status).toBe(200)
      const second = await invite()
      expect([second.link, await canMail()]).toEqual([null, true])
      const mail = (await office.until(before + 1, 60_000)).at(-1)!
      expect(mail).toMatchObject({ from: 'panel@vendor.example', to: [second.email] })
      expect(mail.text).toContain('https://panel.example/reset-password#token=')
      await unset()
      const reset = await panel.call('POST', `/api/admin/users/${second.id}/reset-password`, { as: boss.as })
      expect([reset.status, reset.body.link]).toEqual([202, expect.stringContaining(panel.settings.baseUrl)])
      expect(await canMail()).toBe(false)
    } finally {
      await close()
    }
  },
)

test('a test goes to the address of whoever asks for it, and is recorded', async () => {
  await configure({ mail: MAIL })
  const before = office.received.length
  const reply = await tested()
  expect([reply.status, reply.body]).toEqual([200, { sent: true, step: null, reason: null }])
  expect(office.received.slice(before)).toMatchObject([{ from: 'panel@vendor.example', to: [boss.email] }])
  const recorded = (await panel.history()).findLast(({ type }) => type === 'ConfigMailTested')!
  expect(recorded.metadata['requestId']).toBe(reply.headers.get('x-request-id'))
  expect(recorded.data).toEqual({ configId: 'mail', sent: true, step: null })
})

test('a test says what did not go well, and repeats nothing of what the server said', async () => {
  await configure({ mail: MAIL })
  office.answerRecipients(`550 5.1.1 <${boss.email}> is unknown to me`)
  expect((await tested()).body).toMatchObject({ sent: false, step: 'RECIPIENT' })
  office.answerRecipients(`554 5.7.1 no relaying for ${boss.email}`)
  const { status, text, body } = await tested()
  office.answerRecipients(undefined)
  expect([status, body]).toMatchObject([
    200,
    { sent: false, step: 'RECIPIENT', reason: expect.stringContaining('554') },
  ])
  expect(text).not.toContain(boss.email)
  await configure({ mail: { tls: 'STARTTLS' } })
  expect((await tested()).body).toMatchObject({ sent: false, step: 'TLS' })
})

test('a server in the operator’s own network is not connected to unless he allows it', async () => {
  const { as } = await inward.somebody('SUPERADMIN')
  const before = office.connections()
  expect((await configure({ mail: MAIL }, inward, { ...boss, as })).status).toBe(200)
  const { status, body } = await tested(as, inward)
  expect([status, body]).toMatchObject([
    200,
    { sent: false, step: 'CONNECT', reason: expect.stringMatching(/not public/) },
  ])
  const settings = (await inward.panel.services(mailSettings)())!
  const byWorker = createMailer(settings, { onRefused: () => {} })
  for (const nth of [1, 2])
    await expect(byWorker.send({ to: boss.email, subject: 'x', text: 'x' }, `later-${nth}`)).rejects.toThrow(
      /not public/,
    )
  expect(office.connections()).toBe(before)
})

test('a test is of no use without a mail server, and is asked for ten times an hour at most', async () => {
  await unset()
  const { as } = await panel.somebody('ADMIN', ['settings:manage'])
  for (let nth = 0; nth < 10; nth += 1) {
    const refused = await tested(as)
    expect([refused.status, refused.headers.get('error-code')]).toEqual([409, 'MAIL_NOT_CONFIGURED'])
  }
  const { status, headers } = await tested(as)
  expect([status, headers.get('retry-after')]).toEqual([429, '3600'])
})
