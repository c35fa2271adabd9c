/** How an installation's mails go. It is asked each time that one is needed: what is set may change while a process runs. */
import { serviceKey } from '../lib/services.ts'
import type { Sender } from './mail.ts'
import type { SmtpServer } from './smtp-url.ts'

/** Mails go to the server, or each into a file of the folder. */
export type MailSettings = { readonly from: Sender } & ({ readonly smtp: SmtpServer } | { readonly folder: string })

/** Undefined: no mail is sent at this moment, and what is of no use without one is refused. */
export type MailSettingsProvider = () => Promise<MailSettings | undefined>

export const mailSettings = serviceKey<MailSettingsProvider>('mailing', async () => undefined)
