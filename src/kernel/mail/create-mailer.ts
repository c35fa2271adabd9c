/** Creates the configured mailer. In its own file, so that only processes that send mail load the libraries. */
import { folderMailer } from './folder-mailer.ts'
import type { MailSettings } from './mail-settings.ts'
import type { Mailer } from './mailer.ts'
import { smtpMailer } from './smtp.ts'
import type { SmtpOptions } from './smtp.ts'

export const createMailer = (mail: MailSettings, options: SmtpOptions): Mailer =>
  'smtp' in mail ? smtpMailer(mail.smtp, mail.from, options) : folderMailer(mail.folder, mail.from)
