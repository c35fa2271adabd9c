/** The interface of mailers, and the fields that all mails have. */
import type { SendMailOptions } from 'nodemailer'
import { htmlPart, plainPart } from './mail-body.ts'
import type { Mail, Sender } from './mail.ts'

/** Stateless between mails. */
export interface Mailer {
  /**
   * @param id the same for the same mail, so that a recipient can recognise a duplicate; letters,
   * digits, `-` and `_`
   * @throws MailFailed
   */
  send(mail: Mail, id: string): Promise<void>
}

/** No file or URL is read for a mail, whatever its text contains. Auto-Submitted prevents automatic replies. */
export function composeMail({ to, subject, text, attachments = [] }: Mail, id: string, from: Sender): SendMailOptions {
  return {
    from,
    to: { name: '', address: to },
    subject,
    text: plainPart(text),
    html: htmlPart(text),
    attachments: attachments.map(({ content, ...named }) => ({ ...named, content: Buffer.from(content) })),
    messageId: `<${id}@${from.address.split('@')[1]}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
