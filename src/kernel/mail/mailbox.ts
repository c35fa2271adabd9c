/** Where an evaluation's mails go: a folder, one .eml file each, which mail programs and editors open. */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Sender } from './mail.ts'
import { composed } from './mailer.ts'
import type { Mailer } from './mailer.ts'

const OWNER_ONLY_DIRECTORY = 0o700
const OWNER_ONLY_FILE = 0o600

/** The same mail is the same file, so it arrives once however often it is sent. */
export function mailbox(directory: string, from: Sender): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true })
  return {
    async send(mail, id) {
      const { message } = await transport.sendMail(composed(mail, id, from))
      await mkdir(directory, { recursive: true, mode: OWNER_ONLY_DIRECTORY })
      const path = join(directory, `${id}.eml`)
      await writeFile(`${path}.part`, message as Buffer, { mode: OWNER_ONLY_FILE })
      await rename(`${path}.part`, path)
    },
  }
}
