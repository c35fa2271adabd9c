/** What administrators configure, and what only the environment sets, over HTTP. */
import { expect, test } from 'vitest'
import { config } from '#panel/config/decider'
import { startPanel } from '../../support/panel/service.ts'
import type { TestPanel } from '../../support/panel/service.ts'

const SERVER = {
  host: 'mail.example',
  port: 2525,
  tls: 'STARTTLS',
  user: 'mailer-canary',
  password: 'canary-of-a-password',
  from: 'Daybook <canary@vendor.example>',
} as const
const MASK = '********'
const NONE = { host: null, port: null, tls: null, user: null, password: null, from: null }

const panel = await startPanel({ mail: undefined, unsetVariables: ['PANEL_URL'] })
const ruled = await startPanel({
  compareReadModels: false,
  mail: {
    from: { name: 'Vendor', address: 'panel@vendor.example' },
    smtp: { host: 'relay.internal', port: 25, secure: false, requireTLS: false, auth: { user: 'u', pass: 'p-canary' } },
  },
})

const admin = (whom: TestPanel) => whom.somebody('SUPERADMIN')
const boss = await admin(panel)
const subject = await admin(ruled)
const shown = async () => (await panel.call('GET', '/api/admin/config', { as: boss.as })).body
const change = (body: unknown) => panel.call('PATCH', '/api/admin/config', { as: boss.as, body })
const stored = () => panel.run((unit) => unit.look(config))
const changed = async (whom: TestPanel = panel) =>
  (await whom.history()).filter(({ type }) => /^Config\w+Changed$/.test(type))

async function anew(): Promise<void> {
  const nothing = { mail: NONE, urls: { panel: null }, retention: { notificationDays: null, telemetryDays: null } }
  expect((await change(nothing)).status).toBe(200)
}

test('what nobody has decided is what is usual, and so is what is decided no more', async () => {
  await anew()
  const usual = await shown()
  expect(usual).toMatchObject({
    mail: NONE,
    urls: { panel: panel.settings.baseUrl },
    retention: { notificationDays: 90, telemetryDays: 365 },
  })
  const sources = Object.values(usual.sources).flatMap((part) => Object.values(part as object))
  expect(new Set(sources)).toEqual(new Set(['USUAL']))
  await change({ urls: { panel: 'https://panel.example/' }, retention: { notificationDays: 7 } })
  const decided = await shown()
  expect(decided).toMatchObject({
    urls: { panel: 'https://panel.example' },
    retention: { notificationDays: 7, telemetryDays: 365 },
    sources: { urls: { panel: 'ADMIN' }, retention: { notificationDays: 'ADMIN', telemetryDays: 'USUAL' } },
  })
  await anew()
  expect(await shown()).toEqual(usual)
})

test('what is secret is shown to nobody and lies nowhere in clear', async () => {
  await anew()
  const { status, body, text } = await change({ mail: SERVER })
  expect([status, body.mail]).toEqual([200, { ...SERVER, password: MASK }])
  expect(await shown()).toEqual(body)
  expect(Object.values(body.sources.mail)).toEqual(Array.from({ length: 6 }, () => 'ADMIN'))
  const trail = await panel.call('GET', '/api/admin/audit-logs', { as: boss.as })
  expect(trail.text).toContain('mail.example')
  const kept = [await panel.dump(), panel.logs(), trail.text]
  for (const each of [...kept, text]) expect(each).not.toContain(SERVER.password)
  for (const each of kept) expect(each).not.toMatch(/mailer-canary|canary@vendor/)
})

test('what is sent back as it was shown stays as it is, the password too', async () => {
  await anew()
  await change({ mail: SERVER })
  const { sources: _sources, ...parts } = await shown()
  expect((await change({ ...parts, retention: { telemetryDays: 30 } })).status).toBe(200)
  expect(await stored()).toMatchObject({ mail: SERVER, retention: { telemetryDays: 30 } })
  expect((await change({ mail: { user: 'another', password: MASK } })).status).toBe(200)
  expect((await stored()).mail).toEqual({ ...SERVER, user: 'another' })
})

test('a password goes to no other server than the one that it was given for', async () => {
  await anew()
  await change({ mail: SERVER })
  for (const elsewhere of [{ host: 'evil.example' }, { port: 465 }, { tls: 'TLS' }])
    for (const password of [{}, { password: MASK }])
      expect((await change({ mail: { ...elsewhere, ...password } })).status, JSON.stringify(elsewhere)).toBe(400)
  expect((await stored()).mail).toEqual(SERVER)
  expect((await change({ mail: { host: 'other.example', password: 'another' } })).status).toBe(200)
  expect((await change({ mail: { host: null } })).status).toBe(200)
  expect((await stored()).mail).toEqual({ ...NONE, from: SERVER.from })
  expect((await change({ mail: { host: 'evil.example' } })).status).toBe(200)
  expect((await stored()).mail).toMatchObject({ user: null, password: null })
})

/** The error for each input. */
const WRONG: readonly (readonly [what: string, body: unknown])[] = [
  ['nothing', {}],
  ['nothing of a part', { mail: {} }],
  ['no part', { secretKey: 'x' }],
  ['no field', { mail: { secure: true } }],
  ['what is shown beside', { sources: {} }],
  ['no host', { mail: { host: 'mail.example/path' } }],
  ['a host on two lines', { mail: { host: 'mail.example\r\nQUIT' } }],
  ['no port', { mail: { port: 0 } }],
  ['a port of the system', { mail: { ...SERVER, port: 22 } }],
  ['no port at all', { mail: { port: 65_536 } }],
  ['no TLS', { mail: { tls: 'PERHAPS' } }],
  ['a login on two lines', { mail: { user: 'me\r\nRCPT', password: 'x' } }],
  ['half a login', { mail: { host: 'mail.example', from: 'a@b.example', user: 'me' } }],
  ['a mask of nothing', { mail: { host: 'mail.example', from: 'a@b.example', user: 'me', password: MASK } }],
  ['a password without TLS', { mail: { ...SERVER, tls: 'OPTIONAL' } }],
  ['no sender', { mail: { from: 'Daybook <a@b.example>, eve@c.example' } }],
  ['nobody as the sender', { mail: { host: 'mail.example' } }],
  ['no URL', { urls: { panel: 'panel.example' } }],
  ['a URL of code', { urls: { panel: 'javascript:alert(1)' } }],
  ['a URL with a path', { urls: { panel: 'https://panel.example/x' } }],
  ['a URL with a login', { urls: { panel: 'https://me@panel.example' } }],
  ['no days', { retention: { notificationDays: 0 } }],
  ['half a day', { retention: { telemetryDays: 1.5 } }],
  ['too many days', { retention: { telemetryDays: 3_651 } }],
  ['one part that is well beside one that is not', { retention: { telemetryDays: 5 }, urls: { panel: 'x' } }],
]

test('what is no configuration is refused and changes nothing', async () => {
  await anew()
  const before = await changed()
  for (const [what, body] of WRONG) {
    const reply = await change(body)
    expect([reply.status, reply.body], what).toEqual([400, { statusCode: 400, message: expect.any(String) }])
  }
  expect(await changed()).toHaveLength(before.length)
})

test('by which server mails go and where links lead a SUPERADMIN decides alone: others would come into his account', async () => {
  await anew()
  const { as } = await panel.somebody('ADMIN', ['settings:view', 'settings:manage'])
  const ask = (body: unknown) => panel.call('PATCH', '/api/admin/config', { as, body })
  for (const given of [NONE, SERVER]) {
    expect((await change({ mail: given })).status).toBe(200)
    const before = await changed()
    const { mail, urls } = await shown()
    const others = [{ urls: { panel: 'https://evil.example' } }, { mail: { ...SERVER, host: 'evil.example' } }]
    for (const body of [...others, { retention: { telemetryDays: 8 }, ...others[0] }]) {
      const { status, headers } = await ask(body)
      expect([status, headers.get('error-code')]).toEqual([403, 'HIERARCHY'])
    }
    expect(await changed()).toEqual(before)
    const kept = await ask({ mail, retention: { telemetryDays: 8 } })
    expect([kept.status, kept.body?.mail, kept.body?.urls]).toEqual([200, mail, urls])
  }
})

test('every change is recorded under its request, the same one twice too', async () => {
  const replies = [await change({ retention: { telemetryDays: 9 } }), await change({ retention: { telemetryDays: 9 } })]
  const ids = (await changed()).map(({ metadata }) => metadata['requestId'])
  for (const { headers } of replies) expect(ids).toContain(headers.get('x-request-id'))
})

test('what the environment says is shown as its own, without its password, and is changed by nobody', async () => {
  const as = subject.as
  const seen = await ruled.call('GET', '/api/admin/config', { as })
  const mail = { host: 'relay.internal', port: 25, tls: 'OPTIONAL', user: 'u', password: MASK }
  expect(seen.body).toMatchObject({
    mail: { ...mail, from: 'Vendor <panel@vendor.example>' },
    urls: { panel: ruled.settings.baseUrl },
    sources: { urls: { panel: 'ENVIRONMENT' }, retention: { telemetryDays: 'USUAL' } },
  })
  expect(Object.values(seen.body.sources.mail)).toEqual(Array.from({ length: 6 }, () => 'ENVIRONMENT'))
  expect(seen.text).not.toContain('p-canary')
  const others = [
    ...[
      { host: 'evil.example' },
      { port: 26 },
      { tls: 'TLS' },
      { user: null },
      { password: 'x' },
      { from: 'a@b.example' },
    ].map((part) => ({ mail: part })),
    { urls: { panel: 'https://evil.example' } },
    { retention: { telemetryDays: 3 }, mail: { host: null } },
  ]
  for (const body of others) {
    const reply = await ruled.call('PATCH', '/api/admin/config', { as, body })
    expect([reply.status, reply.headers.get('error-code')], JSON.stringify(body)).toEqual([409, 'SET_BY_ENVIRONMENT'])
  }
  expect(await changed(ruled)).toEqual([])
  const { sources: _sources, ...parts } = seen.body
  const back = await ruled.call('PATCH', '/api/admin/config', { as, body: parts })
  expect([back.status, back.body]).toEqual([
    200,
    {
      ...seen.body,
      sources: { ...seen.body.sources, retention: { notificationDays: 'ADMIN', telemetryDays: 'ADMIN' } },
    },
  ])
})
