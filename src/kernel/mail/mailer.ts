/** Ways to send mails, and what all mails have in common. */
import type { SendMailOptions } from 'nodemailer'
import type { Mail, Sender } from './mail.ts'

/** Holds nothing from one mail to the next. */
export interface Mailer {
  /** @param id the same for the same mail, so that whoever gets it twice can tell; letters, digits, `-` and `_`. @throws MailFailed */
  send(mail: Mail, id: string): Promise<void>
}

/** Nothing is read from files or fetched for a mail, whatever its text says, and no machine answers it. */
export function composeMail(
  { to, subject, text, html, attachments = [] }: Mail,
  id: string,
  from: Sender,
): SendMailOptions {
  return {
    from,
    to: { name: '', address: to },
    subject,
    text,
    ...(html === undefined ? {} : { html }),
    attachments: attachments.map(({ content, ...named }) => ({ ...named, content: Buffer.from(content) })),
    messageId: `<${id}@${from.address.split('@')[1]}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
