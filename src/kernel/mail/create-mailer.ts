/** The way that is set. Apart from the settings, because it loads what only who sends mails has any use for. */
import type { Mailer } from './mailer.ts'
import { folderMailer } from './folder-mailer.ts'
import type { MailSettings } from './mail-settings.ts'
import { smtpMailer } from './smtp.ts'
import type { SmtpOptions } from './smtp.ts'

export const createMailer = (mail: MailSettings, options: SmtpOptions): Mailer =>
  'smtp' in mail ? smtpMailer(mail.smtp, mail.from, options) : folderMailer(mail.folder, mail.from)
