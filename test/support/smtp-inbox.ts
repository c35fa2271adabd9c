/** A real SMTP listener that keeps the mails that it receives. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
  /** Names in lower case, values unfolded. */
  readonly headers: Readonly<Record<string, string>>
  /** Decoded. */
  readonly text: string
  readonly html: string
}

export interface SmtpInbox {
  /** The value for SMTP_URL. */
  readonly url: string
  readonly received: readonly ReceivedMail[]
  /** The number of connections so far. */
  connections(): number
  /** The answer to every recipient, such as `550 5.1.1 unknown`; undefined: accepted. */
  answerRecipients(answer: string | undefined): void
  /** Resolves with the mails when there are `count` of them. */
  until(count: number, withinMs?: number): Promise<readonly ReceivedMail[]>
  close(): Promise<void>
}

export async function smtpInbox(host = '127.0.0.1', at = 0): Promise<SmtpInbox> {
  const received: ReceivedMail[] = []
  let refusal: string | undefined
  let connections = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onConnect(_session, done) {
      connections += 1
      done()
    },
    onRcptTo(_recipient, _session, done) {
      if (refusal === undefined) return done()
      const error = new Error(refusal.slice(4)) as Error & { responseCode: number }
      error.responseCode = Number(refusal.slice(0, 3))
      done(error)
    },
    async onData(stream, { envelope }, done) {
      const raw = await textOf(stream)
      const to = envelope.rcptTo.map(({ address }) => address)
      received.push({ from: (envelope.mailFrom || { address: '' }).address, to, raw, ...parsed(raw) })
      done()
    },
  })
  server.on('error', () => {})
  const listening = server.listen(at, host)
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  return {
    url: `smtp://${host}:${port}`,
    received,
    connections: () => connections,
    answerRecipients: (answer) => void (refusal = answer),
    async until(count, withinMs = 10_000) {
      for (const late = performance.now() + withinMs; received.length < count;)
        if (performance.now() > late) throw new Error(`${received.length} of ${count} mails have come`)
        else await new Promise((resolve) => setTimeout(resolve, 10))
      return received
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

type Headers = ReceivedMail['headers']

/** The first part of each of the two kinds. */
function parsed(raw: string): Pick<ReceivedMail, 'headers' | 'text' | 'html'> {
  const parts = partsOf(raw)
  const first = (type: string) => parts.find(([headers]) => headers['content-type']!.startsWith(type))?.[1] ?? ''
  return {
    headers: headersOf(raw.slice(0, raw.indexOf('\r\n\r\n'))),
    text: first('text/plain'),
    html: first('text/html'),
  }
}

function partsOf(raw: string): (readonly [Headers, string])[] {
  const at = raw.indexOf('\r\n\r\n')
  const headers = headersOf(raw.slice(0, at))
  const body = raw.slice(at + 4)
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1]
  if (boundary === undefined) return [[headers, decoded(body, headers['content-transfer-encoding'])]]
  const [, ...parts] = body.split(`--${boundary}\r\n`)
  return parts.flatMap((part) => partsOf(part.split(`\r\n--${boundary}`)[0]!))
}

function headersOf(block: string): Record<string, string> {
  const lines = block.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  return Object.fromEntries(
    lines.map((line) => [line.split(':', 1)[0]!.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
}

function decoded(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
