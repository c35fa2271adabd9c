/**
 * The mail settings of an installation. They are read for each mail, because they may change while a
 * process runs.
 */
import { serviceKey } from '../lib/services.ts'
import type { Sender } from './mail.ts'
import type { SmtpServer } from './smtp-url.ts'

/** Mails are sent to a server, or written to a folder. */
export type MailSettings = { readonly from: Sender } & ({ readonly smtp: SmtpServer } | { readonly folder: string })

/** Undefined: no mail can be sent at this moment, and changes that need a mail are rejected. */
export type MailSettingsProvider = () => Promise<MailSettings | undefined>

export const mailSettings = serviceKey<MailSettingsProvider>('mailing', async () => undefined)
