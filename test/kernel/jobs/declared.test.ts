/** The reactions, timers and mails that sections declare, checked without running them. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { event } from '#kernel/events/event'
import { everyone, route } from '#kernel/http/route'
import { reaction } from '#kernel/jobs/reaction'
import { timer } from '#kernel/jobs/timer'
import { serviceRegistry, provide } from '#kernel/lib/services'
import { MailFailed, checkedMail } from '#kernel/mail/mail'
import { mailSettings } from '#kernel/mail/mail-settings'
import { rig } from '#test/support/kernel/http-rig'

const shape = { lampId: z.uuid(), by: z.string() }
const LampLit = event('LampLit', 'lampId', shape, () => 'lit')
const LampBroken = event('LampBroken', 'lampId', { lampId: z.uuid() }, () => 'broken')

describe('a reaction', () => {
  test('is to its types only, and knows their fields', async () => {
    const seen: string[] = []
    const lit = reaction('tell-lit', { on: [LampLit], run: async ({ data }) => void seen.push(data.by) })
    expect([lit.isTriggeredBy(LampLit.type), lit.isTriggeredBy(LampBroken.type)]).toEqual([true, false])
    await lit.run({ data: { lampId: 'any', by: 'me' } } as never, undefined as never)
    expect(seen).toEqual(['me'])
  })

  test('may be to all', () => {
    expect(reaction('tell-all', { on: 'all', run: async () => {} }).isTriggeredBy('AnythingAtAll')).toBe(true)
  })
})

test.each(['Tell', 'tell_all', 'tell:all', '', '-tell', 'tell-', '1st'])('%j is no name', (name) => {
  expect(() => reaction(name, { on: 'all', run: async () => {} })).toThrow('is not a valid name')
  expect(() => timer(name, { due: async () => [], run: async () => {} })).toThrow('is not a valid name')
})

const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Hello' }

test.each([
  'ada@example.com, eve@example.com',
  'Ada <ada@example.com>',
  'ada@example.com\r\nBcc: eve@example.com',
  'ada@example.com\n',
  '"ada"@example.com',
  'ada@example.com;eve@example.com',
  'ada(comment)@example.com',
  '@example.com',
  'ada',
  `${'a'.repeat(65)}@example.com`,
])('%j is not one recipient', (to) => {
  expect(() => checkedMail({ ...mail, to })).toThrow(MailFailed)
})

test.each(['Hello\r\nBcc: eve@example.com', 'Hello\nthere', 'Hello\u2028there', 'x'.repeat(201)])(
  '%j is no subject',
  (subject) => {
    expect(() => checkedMail({ ...mail, subject })).toThrow(MailFailed)
  },
)

test.each([
  { filename: '../invoice.pdf', contentType: 'application/pdf' },
  { filename: 'invoice.pdf\r\nX: y', contentType: 'application/pdf' },
  { filename: 'invoice.pdf', contentType: 'application/pdf\r\nX: y' },
  { filename: 'invoice.pdf', contentType: 'text/plain; charset="x' },
])('$filename of $contentType is no file', (named) => {
  expect(() => checkedMail({ ...mail, attachments: [{ ...named, content: '' }] })).toThrow(MailFailed)
})

test.each(['ada@example.com', "o'hara+tag@mail.example.co.uk", 'jörg@münchen.example'])('%s is one', (to) => {
  expect(checkedMail({ ...mail, to }).to).toBe(to)
})

test('a route that needs mail asks each time whether any is sent', async () => {
  let settings: { from: { name: string; address: string }; folder: string } | undefined
  const send = route('POST /send', {
    does: 'Sends.',
    access: everyone,
    handle: async (call) => call.requireMail(),
  })
  const { call, close } = await rig([send], {
    services: serviceRegistry([provide(mailSettings, async () => settings)]),
  })
  const refused = await call('POST', '/send')
  expect(refused.json).toEqual({ statusCode: 409, message: expect.stringContaining('configure a mail server') })
  settings = { from: { name: '', address: 'daybook@vendor.example' }, folder: '/nowhere' }
  expect((await call('POST', '/send')).status).toBe(204)
  settings = undefined
  expect((await call('POST', '/send')).status).toBe(409)
  await close()
})
