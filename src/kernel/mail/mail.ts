/**
 * A mail, and the validation of its fields: a name or address from a request must not become a header
 * or a second recipient.
 */

export interface Mail {
  /** One address, without a name. */
  readonly to: string
  readonly subject: string
  /** Links in it must start with the configured base URL, never with a value from a request. */
  /** Paragraphs, divided by empty lines. A link is a line of its own. The mail has the same as HTML. */
  readonly text: string
  readonly attachments?: readonly Attachment[]
}

export interface Attachment {
  /** Without a path: the name under which the recipient's program saves it. */
  readonly filename: string
  /** For example `application/pdf`. */
  readonly contentType: string
  readonly content: Uint8Array | string
}

/** The sender of all mails. */
export interface Sender {
  readonly name: string
  readonly address: string
}

/** The step of sending that failed. */
export type MailStep = 'CONNECT' | 'TLS' | 'LOGIN' | 'SENDER' | 'RECIPIENT' | 'MESSAGE'

/** Its message must contain no personal data: it is logged and stored with the failed job. */
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
/** One mailbox: no name, list, comment, quotes or line breaks. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"]{1,64}@[^\s@<>()[\]\\,;:"]{1,255}$/u
const SENDER_NAME = /^[^\p{Cc}<>"]{0,100}$/u
const CONTROL = /\p{Cc}|[\u2028\u2029]/u

/**
 * @throws MailFailed unless the address is exactly one, the subject is one line, and each attachment
 * has a valid file name
 */
export function checkedMail(mail: Mail): Mail {
  if (mail.to.length > ADDRESS_LENGTH_MAX || !ADDRESS.test(mail.to) || CONTROL.test(mail.to))
    throw new MailFailed('The recipient is not exactly one mail address')
  if (mail.subject.length > SUBJECT_LENGTH_MAX || CONTROL.test(mail.subject))
    throw new MailFailed('The subject must be one line of at most 200 characters')
  for (const { filename, contentType } of mail.attachments ?? [])
    if (!FILENAME.test(filename) || !CONTENT_TYPE.test(contentType))
      throw new MailFailed('An attachment has an invalid file name or content type')
  return mail
}

/**
 * Parses `Daybook <licensing@example.com>`, or only an address.
 * @throws SyntaxError for anything else
 */
export function parseSender(text: string): Sender {
  const { name, address } = /^(?:(?<name>[^<>]*)<(?<address>[^<>]+)>|[^<>]+)$/u.exec(text.trim())?.groups ?? {}
  const sender = { name: (name ?? '').trim(), address: address ?? text.trim() }
  if (!SENDER_NAME.test(sender.name) || !ADDRESS.test(sender.address)) throw new SyntaxError('not a mail sender')
  return sender
}

export function isSender(text: string): boolean {
  try {
    return parseSender(text).address !== ''
  } catch {
    return false
  }
}

/** The inverse of `parseSender`. */
export const formatSender = ({ name, address }: Sender): string => (name === '' ? address : `${name} <${address}>`)
