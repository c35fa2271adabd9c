/** Settings of administrators for the whole panel, over HTTP. */
import { expect, test } from 'vitest'
import { SettingChanged, settingEvents } from '#kernel/resource/settings-events'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
const mailless = await startPanel({ mail: undefined })
await panel.licensed()

let made = 0
const decide = (as: string, key: string, value: unknown) =>
  panel.call('PATCH', `/api/admin/settings/${key}`, { as, body: { value } })
const told = async (whom = panel) => (await whom.call('GET', '/api/settings/public')).body
const register = () =>
  panel.call('POST', '/api/auth/register', { body: { email: `new-${(made += 1)}@panel.test`, password: PASSWORD } })

test('registering is closed until an administrator opens it, and again when he closes it', async () => {
  const { as } = await panel.somebody('ADMIN', ['settings:manage'])
  const refused = await register()
  expect(refused.status).toBe(403)
  expect(refused.headers.get('error-code')).toBe('REGISTRATION_CLOSED')
  expect((await decide(as, 'registrationOpen', true)).status).toBe(200)
  expect((await register()).status).toBe(202)
  expect(await told()).toMatchObject({ registrationOpen: true, canMail: true })
  expect((await decide(as, 'registrationOpen', false)).status).toBe(200)
  expect((await register()).status).toBe(403)
  expect(await told()).toMatchObject({ registrationOpen: false })
})

test('a setting is listed with what holds, and what would where nothing was decided', async () => {
  const { as } = await panel.somebody('ADMIN', ['settings:view', 'settings:manage'])
  const named = async () =>
    (await panel.call('GET', '/api/admin/settings', { as })).body.find(({ key }: any) => key === 'platformName')
  expect(await named()).toMatchObject({ value: 'Daybook', usual: 'Daybook', changedAt: null })
  const { body } = await decide(as, 'platformName', '  Our cloud ')
  expect(body).toMatchObject({ key: 'platformName', value: 'Our cloud', usual: 'Daybook' })
  expect(await named()).toEqual(body)
  expect(await told()).toMatchObject({ platformName: 'Our cloud' })
})

test('every decision is recorded under its request, the same one twice too', async () => {
  const { as } = await panel.somebody('ADMIN', ['settings:manage'])
  const replies = [await decide(as, 'platformName', 'Same'), await decide(as, 'platformName', 'Same')]
  const recorded = (await panel.history()).filter(({ type }) => type === 'SettingChanged')
  const ids = recorded.map(({ metadata }) => (metadata as any).requestId)
  for (const { headers } of replies) expect(ids).toContain(headers.get('x-request-id'))
})

test('what is no setting and no value of one changes nothing', async () => {
  const { as } = await panel.somebody('SUPERADMIN')
  const before = (await panel.history()).length
  expect((await decide(as, 'noSuchThing', true)).status).toBe(404)
  for (const wrong of ['yes', 1, null, undefined])
    expect((await decide(as, 'registrationOpen', wrong)).status).toBe(400)
  for (const wrong of ['', '   ', 'two\nlines', 'back\u202ewards', 'x'.repeat(101), true])
    expect((await decide(as, 'platformName', wrong)).status).toBe(400)
  const body = { value: true, more: 1 }
  expect((await panel.call('PATCH', '/api/admin/settings/registrationOpen', { as, body })).status).toBe(400)
  expect((await panel.history()).length).toBe(before)
})

test('a name that was decided before names were looked at still holds', async () => {
  await panel.run(async (unit) =>
    unit.appendEvent(settingEvents, undefined, SettingChanged({ settingId: 'platformName', value: 'back\u202ewards' })),
  )
  await panel.panel.projector.catchUp()
  expect(await told()).toMatchObject({ platformName: 'back\u202ewards' })
})

test('a panel that mails nothing is open to nobody, whatever was decided', async () => {
  const { as } = await mailless.somebody('SUPERADMIN')
  const path = '/api/admin/settings/registrationOpen'
  expect((await mailless.call('PATCH', path, { as, body: { value: true } })).status).toBe(200)
  expect(await told(mailless)).toEqual({ platformName: 'Daybook', registrationOpen: false, canMail: false })
})
