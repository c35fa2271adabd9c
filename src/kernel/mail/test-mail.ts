/** A mail that tests the settings, and the step at which it failed. */
import { uuidv7 } from '../lib/uuid.ts'
import type { MailSettings } from './mail-settings.ts'
import { MailFailed } from './mail.ts'
import type { Mail, MailStep } from './mail.ts'

const TEST_MS = 15_000

interface MailTest {
  readonly sent: boolean
  /** Null if it was sent. */
  readonly step: MailStep | null
  /** In plain words, with the codes of the mail server. */
  readonly reason: string | null
}

/** Loads the mail library only when a mail is sent. */
export async function sendTestMail(settings: MailSettings, mail: Mail): Promise<MailTest> {
  const { createMailer } = await import('./create-mailer.ts')
  let isRefused = false
  const onRefused = () => void (isRefused = true)
  try {
    await createMailer(settings, { onRefused, withinMs: TEST_MS }).send(mail, uuidv7())
  } catch (error) {
    if (!(error instanceof MailFailed)) throw error
    return { sent: false, step: error.step, reason: error.message }
  }
  if (isRefused) return { sent: false, step: 'RECIPIENT', reason: 'The mail server rejected the recipient' }
  return { sent: true, step: null, reason: null }
}
