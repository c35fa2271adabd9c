/** Mails as a real SMTP listener receives them, and as an evaluation stores them. */
import { once } from 'node:events'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterAll, describe, expect, test } from 'vitest'
import { folderMailer } from '#kernel/mail/folder-mailer'
import { MailFailed } from '#kernel/mail/mail'
import { checkSmtpServer, smtpMailer } from '#kernel/mail/smtp'
import { parseSmtpUrl } from '#kernel/mail/smtp-url'
import type { OutboundPolicy, ResolveHost } from '#kernel/outbound/checked-connect'
import { freePort } from '#test/support/free-port'
import { scratchPath } from '#test/support/scratch'
import { smtpInbox } from '#test/support/smtp-inbox'

const FROM = { name: 'Daybook', address: 'licensing@vendor.example' }
const mail = {
  to: 'jörg@example.com',
  subject: 'Grüße — your license',
  text: 'Zwölf Zeilen.\n.\nA line with a dot alone, and https://licensing.example/reset?token=abc',
}

const office = await smtpInbox()
const mailer = smtpMailer(parseSmtpUrl(office.url), FROM, { onRefused: (id) => void refused.push(id) })
const refused: string[] = []
afterAll(() => office.close())

test('arrives as it was written, from and to one each', async () => {
  await mailer.send({ ...mail, to: 'ada@example.com' }, 'effect-1')
  const [received] = office.received
  expect(received).toMatchObject({ from: FROM.address, to: ['ada@example.com'] })
  const { headers, text } = received!
  expect(headers).toMatchObject({
    from: 'Daybook <licensing@vendor.example>',
    to: 'ada@example.com',
    'message-id': '<effect-1@vendor.example>',
    'auto-submitted': 'auto-generated',
  })
  expect(text).toContain('Zwölf Zeilen.')
  expect(text).toContain('https://licensing.example/reset?token=abc')
})

test('brings files along as they are', async () => {
  const content = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  const file = { filename: 'invoice 2026-1.pdf', contentType: 'application/pdf', content }
  await mailer.send({ ...mail, to: 'ada@example.com', attachments: [file] }, 'with-a-file')
  const { raw, text } = office.received.at(-1)!
  expect(raw).toMatch(/Content-Type: application\/pdf; name="?invoice 2026-1.pdf"?/)
  expect(raw.replaceAll('\r\n', '')).toContain(Buffer.from(content).toString('base64'))
  expect(text).toContain('Zwölf Zeilen.')
})

test('a link is one unbroken line of the plain text, and a link of the HTML', async () => {
  const link = `https://licensing.example/shop/reset-password#token=${'a-Token_'.repeat(10)}&to=you`
  const text = `Choose it here, if "you" & <they> agree:\n\n${link}\n\n.\n\nNot one: http://evil.example/ beside words.\n`
  await mailer.send({ to: 'ada@example.com', subject: 'A link', text }, 'with-a-link')
  const { raw, text: plain, html } = office.received.at(-1)!
  expect(raw.split('\r\n')).toContain(link)
  expect(plain.replaceAll('\r\n', '\n').trimEnd()).toBe(text.trimEnd())
  expect(html.match(/<a /g)).toHaveLength(1)
  expect(html).toContain(`<p><a href="${link.replace('&', '&amp;')}">${link.replace('&', '&amp;')}</a></p>`)
  expect(html).toContain('<p>Choose it here, if &quot;you&quot; &amp; &lt;they&gt; agree:</p>')
})

test('the same mail sent twice has the same Message-ID', async () => {
  const before = office.received.length
  await mailer.send({ ...mail, to: 'ada@example.com' }, 'twice')
  await mailer.send({ ...mail, to: 'ada@example.com' }, 'twice')
  const ids = office.received.slice(before).map(({ headers }) => headers['message-id'])
  expect(ids).toEqual(['<twice@vendor.example>', '<twice@vendor.example>'])
})

test.each([
  [
    'a recipient who does not exist is dealt with, since no later try finds him',
    '550 5.1.1 <ada@example.com> unknown',
    false,
  ],
  ['a full mailbox is tried again', '452 4.2.2 ada@example.com is full', true],
  ['a refusal of the server’s own is tried again', '554 5.7.1 relaying denied for ada@example.com', true],
])('%s', async (_what, answer, isTriedAgain) => {
  office.answerRecipients(answer)
  const id = `refused-${answer.slice(0, 3)}`
  const sent = mailer.send({ ...mail, to: 'ada@example.com' }, id)
  if (isTriedAgain) {
    await expect(sent).rejects.toThrow(MailFailed)
    await expect(sent).rejects.not.toThrow(/ada|example\.com/)
  } else await sent
  expect(refused.includes(id)).toBe(!isTriedAgain)
  office.answerRecipients(undefined)
})

test('a server that is not there, or says nothing, is a failure that names no address', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as { port: number }
  silent.close()
  const nobody = smtpMailer(parseSmtpUrl(`smtp://127.0.0.1:${port}`), FROM, { onRefused: () => {} })
  await expect(nobody.send(mail, 'x')).rejects.toThrow(/^The mail server did not accept the mail \(E\w+\)$/)
})

test('a server can be looked at without sending anything', async () => {
  const before = office.received.length
  await checkSmtpServer(parseSmtpUrl(office.url))
  expect(office.received).toHaveLength(before)
  await expect(checkSmtpServer({ ...parseSmtpUrl(office.url), port: await freePort() })).rejects.toThrow(
    /^The mail server cannot be used \(E\w+/,
  )
})

describe('a server that somebody else has named', () => {
  const { port } = new URL(office.url)
  const named = { ...parseSmtpUrl(office.url), port: Number(port) }
  const at = (host: string, reach: OutboundPolicy) =>
    smtpMailer({ ...named, host, outboundPolicy: reach }, FROM, { onRefused: () => {} })
  const resolve: ResolveHost = async () => [{ address: '127.0.0.1', family: 4 }]

  test.each([
    ['by an address', '127.0.0.1', {}],
    ['by a name of one', 'relay.example', { resolve }],
    ['with others allowed', 'relay.example', { resolve, allow: ['10.0.0.0/8'] }],
  ])('is not connected to in the operator’s own network: %s', async (_how, host, reach) => {
    const before = office.connections()
    const sent = at(host, reach).send(mail, 'reach')
    await expect(sent).rejects.toThrow('The mail server cannot be reached: the address is not public')
    await expect(sent).rejects.toMatchObject({ step: 'CONNECT' })
    expect(office.connections()).toBe(before)
  })

  test('is sent to where the operator allows it', async () => {
    const before = office.received.length
    await at('relay.example', { resolve, allow: ['127.0.0.1'] }).send({ ...mail, to: 'ada@example.com' }, 'allowed')
    expect(office.received).toHaveLength(before + 1)
  })

  test.each([
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '10.0.0.1',
    '169.254.169.254',
  ])('is not connected to at %s, by address and by name', async (address) => {
    const before = office.connections()
    const named: ResolveHost = async () => [{ address, family: address.includes(':') ? 6 : 4 }]
    for (const [host, reach] of [[address, {}] as const, ['relay.example', { resolve: named }] as const])
      await expect(at(host, reach).send(mail, 'spelled')).rejects.toThrow('the address is not public')
    expect(office.connections()).toBe(before)
  })

  test.each(['localhost', '127.1', '0x7f.1', '2130706433', '017700000001'])(
    'is asked for of DNS alone where it is called %s',
    async (host) => {
      const asked: string[] = []
      const nobody: ResolveHost = async (name) => {
        asked.push(name)
        return []
      }
      const before = office.connections()
      await expect(at(host, { resolve: nobody }).send(mail, 'called')).rejects.toThrow('the name has no address')
      expect([asked, office.connections()]).toEqual([[host], before])
    },
  )

  test('is looked at for every mail: a name that led elsewhere before is refused when it leads inside', async () => {
    const elsewhere = await smtpInbox('127.0.0.2', Number(port))
    const asked: string[] = []
    const rebinding: ResolveHost = async (name) => {
      asked.push(name)
      return [{ address: asked.length === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }]
    }
    const relay = at('relay.example', { resolve: rebinding, allow: ['127.0.0.2'] })
    const before = office.connections()
    await relay.send({ ...mail, to: 'ada@example.com' }, 'first')
    expect([asked, elsewhere.received.length]).toEqual([['relay.example'], 1])
    await expect(relay.send({ ...mail, to: 'ada@example.com' }, 'second')).rejects.toThrow('the address is not public')
    expect([asked.length, office.connections(), elsewhere.connections()]).toEqual([2, before, 1])
    await elsewhere.close()
  })

  test('leads nowhere else by naming another server', async () => {
    const elsewhere = await smtpInbox('127.0.0.2', Number(port))
    elsewhere.answerRecipients('551 5.7.1 User not local; please try <ada@[127.0.0.1]>')
    const before = office.connections()
    const there: ResolveHost = async () => [{ address: '127.0.0.2', family: 4 }]
    const sent = at('relay.example', { resolve: there, allow: ['127.0.0.2'] }).send(mail, 'forwarded')
    await expect(sent).rejects.toMatchObject({ step: 'RECIPIENT' })
    expect([office.connections(), elsewhere.connections()]).toEqual([before, 1])
    await elsewhere.close()
  })

  test.each([
    ['STARTTLS', { secure: false, requireTLS: true }],
    ['TLS from the first byte on', { secure: true, requireTLS: false }],
  ])('is spoken to by %s on the one connection that was looked at', async (_how, tls) => {
    const before = office.connections()
    let connections = 0
    const server = new SMTPServer({
      secure: tls.secure,
      authOptional: true,
      onData: (stream, _session, done) => void stream.resume().on('end', done),
    })
    server.on('error', () => {})
    server.server.on('connection', () => (connections += 1))
    await once(server.listen(0, '127.0.0.2'), 'listening')
    const asked: string[] = []
    const reach: OutboundPolicy = {
      allow: ['127.0.0.2'],
      resolve: async (name) => {
        asked.push(name)
        return [{ address: asked.length === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }]
      },
    }
    const to = {
      ...named,
      ...tls,
      host: 'relay.example',
      port: (server.server.address() as { port: number }).port,
      outboundPolicy: reach,
    }
    const sent = smtpMailer(to, FROM, { onRefused: () => {} }).send(mail, 'tls')
    // The listener's certificate is not signed by a trusted authority.
    await expect(sent).rejects.toThrow(MailFailed)
    expect([asked, connections, office.connections()]).toEqual([['relay.example'], 1, before])
    await new Promise<void>((resolve) => server.close(resolve))
  })

  test('that is not there is a failure', async () => {
    const gone = { ...named, host: '127.0.0.1', port: await freePort(), outboundPolicy: { allow: ['127.0.0.1'] } }
    const sent = smtpMailer(gone, FROM, { onRefused: () => {} }).send(mail, 'gone')
    await expect(sent).rejects.toThrow(/^The mail server did not accept the mail \(ECONN\w+\)$/)
  })
})

test('a login that is refused is a failure of its own, which repeats nothing of it', async () => {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => done(new Error(`no ${username} with ${password}`)),
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as { port: number }
  const login = { ...parseSmtpUrl(`smtp://me:canary@127.0.0.1:${port}`), outboundPolicy: { allow: ['127.0.0.1'] } }
  const sent = smtpMailer(login, FROM, { onRefused: () => {} }).send(mail, 'login')
  await expect(sent).rejects.toMatchObject({
    step: 'LOGIN',
    message: expect.stringMatching(/^The mail server did not accept the mail \(EAUTH, answered 535 to AUTH \w+\)$/),
  })
  await new Promise<void>((resolve) => server.close(resolve))
})

test('a server that goes on talking is not listened to for ever', async () => {
  const closed = Promise.withResolvers<void>()
  const talker = createServer((socket) => {
    let talking: NodeJS.Timeout | undefined
    socket.write('220 here\r\n')
    socket.on('data', () => (talking ??= setInterval(() => socket.write('250-still here\r\n'), 10)))
    socket.on('error', () => {})
    socket.on('close', () => (clearInterval(talking), closed.resolve()))
  }).listen(0, '127.0.0.1')
  await once(talker, 'listening')
  const { port } = talker.address() as { port: number }
  const patient = smtpMailer(parseSmtpUrl(`smtp://127.0.0.1:${port}`), FROM, { onRefused: () => {}, withinMs: 300 })
  await expect(patient.send(mail, 'late')).rejects.toThrow('The mail server did not accept the mail in time')
  await closed.promise
  talker.close()
})

test('what would need TLS is not sent without', async () => {
  const { port } = new URL(office.url)
  const strict = smtpMailer({ ...parseSmtpUrl(office.url), requireTLS: true }, FROM, { onRefused: () => {} })
  const before = office.received.length
  await expect(strict.send({ ...mail, to: 'ada@example.com' }, 'tls')).rejects.toThrow(MailFailed)
  expect(office.received).toHaveLength(before)
  expect(Number(port)).toBeGreaterThan(0)
})

describe('SMTP_URL', () => {
  test.each([
    ['smtp://mail.example', { host: 'mail.example', port: 587, secure: false, requireTLS: true }],
    ['smtp://mail.example:2525?tls=optional', { host: 'mail.example', port: 2525, secure: false, requireTLS: false }],
    ['smtp://127.0.0.1:25', { host: '127.0.0.1', port: 25, secure: false, requireTLS: false }],
    ['smtp://[::1]:25', { host: '::1', port: 25, secure: false, requireTLS: false }],
    [
      'smtps://me%40x:p%2Fw@mail.example',
      { host: 'mail.example', port: 465, secure: true, requireTLS: false, auth: { user: 'me@x', pass: 'p/w' } },
    ],
  ])('%s', (url, server) => {
    expect(parseSmtpUrl(url)).toEqual(server)
  })

  test.each([
    'http://mail.example',
    'smtp://me@mail.example',
    'smtp://mail.example/path',
    'smtp://mail.example?tls.rejectUnauthorized=false',
    'smtp://',
    'mail.example',
  ])('%s is refused', (url) => {
    expect(() => parseSmtpUrl(url)).toThrow()
  })
})

test('an evaluation keeps each mail in a file of its own, for its owner only, however often it is sent', async () => {
  const directory = scratchPath()
  const box = folderMailer(directory, FROM)
  await box.send(mail, 'one')
  await box.send(mail, 'one')
  await box.send(mail, 'two')
  expect(readdirSync(directory).toSorted()).toEqual(['one.eml', 'two.eml'])
  const path = join(directory, 'one.eml')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readFileSync(path, 'utf8')).toMatch(/^To: .*example\.com/m)
})
