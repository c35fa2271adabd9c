/** The way that is set. Apart from the settings, because it loads what only who sends mails has any use for. */
import type { Mailer } from './mailer.ts'
import { mailbox } from './mailbox.ts'
import type { MailSettings } from './mailing.ts'
import { smtpMailer } from './smtp.ts'

/** @param onRefused as of `smtpMailer` */
export const mailerOf = (mail: MailSettings, onRefused: (id: string) => void): Mailer =>
  'smtp' in mail ? smtpMailer(mail.smtp, mail.from, onRefused) : mailbox(mail.folder, mail.from)
