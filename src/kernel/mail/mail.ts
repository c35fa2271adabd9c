/** A mail, and what of it nobody may write: a stranger's name or address must not become a header or a second recipient. */

export interface Mail {
  /** One address, without a name. */
  readonly to: string
  readonly subject: string
  /** Links in it start with the configured base URL, never with anything that a request brought. */
  readonly text: string
  readonly html?: string
  readonly attachments?: readonly Attachment[]
}

export interface Attachment {
  /** Without a path: what the recipient's program saves it as. */
  readonly filename: string
  /** Such as `application/pdf`. */
  readonly contentType: string
  readonly content: Uint8Array | string
}

/** Who mails are from. */
export interface Sender {
  readonly name: string
  readonly address: string
}

/** What of sending a mail did not go well. */
export type MailStep = 'CONNECT' | 'TLS' | 'LOGIN' | 'SENDER' | 'RECIPIENT' | 'MESSAGE'

/** Says nothing personal: it is logged, and kept beside what is tried again. */
export class MailFailed extends Error {
  override readonly name = 'MailFailed'
  readonly step: MailStep

  constructor(message: string, step: MailStep = 'MESSAGE') {
    super(message)
    this.step = step
  }
}

const FILENAME = /^[\w][\w .()-]{0,99}$/
const CONTENT_TYPE = /^[a-z]+\/[a-z0-9.+-]+$/
const SUBJECT_LENGTH_MAX = 200
const ADDRESS_LENGTH_MAX = 254
/** One mailbox: no name, no list, no comment, no quotes, and of course no line ends. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"]{1,64}@[^\s@<>()[\]\\,;:"]{1,255}$/u
const SENDER_NAME = /^[^\p{Cc}<>"]{0,100}$/u
const CONTROL = /\p{Cc}|[\u2028\u2029]/u

/** @throws MailFailed for an address that is not exactly one, a subject that is not one line, or a file that is named like none */
export function checkedMail(mail: Mail): Mail {
  if (mail.to.length > ADDRESS_LENGTH_MAX || !ADDRESS.test(mail.to) || CONTROL.test(mail.to))
    throw new MailFailed('The recipient is not one mail address')
  if (mail.subject.length > SUBJECT_LENGTH_MAX || CONTROL.test(mail.subject))
    throw new MailFailed('The subject is not one line')
  for (const { filename, contentType } of mail.attachments ?? [])
    if (!FILENAME.test(filename) || !CONTENT_TYPE.test(contentType))
      throw new MailFailed('An attachment is not named like a file')
  return mail
}

/** `Daybook <licensing@example.com>`, or the address alone. @throws SyntaxError for anything else */
export function parseSender(text: string): Sender {
  const { name, address } = /^(?:(?<name>[^<>]*)<(?<address>[^<>]+)>|[^<>]+)$/u.exec(text.trim())?.groups ?? {}
  const sender = { name: (name ?? '').trim(), address: address ?? text.trim() }
  if (!SENDER_NAME.test(sender.name) || !ADDRESS.test(sender.address)) throw new SyntaxError('no sender')
  return sender
}

/** As `parseSender` reads it. */
export const formatSender = ({ name, address }: Sender): string => (name === '' ? address : `${name} <${address}>`)
