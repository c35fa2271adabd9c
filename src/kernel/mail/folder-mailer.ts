/**
 * Writes mails of an evaluation into a folder, one .eml file each, which mail programs and editors can
 * open.
 */
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { makeDirectory } from '../lib/directories.ts'
import { MailFailed } from './mail.ts'
import type { Sender } from './mail.ts'
import { composeMail } from './mailer.ts'
import type { Mailer } from './mailer.ts'

const OWNER_ONLY_DIRECTORY = 0o700
const OWNER_ONLY_FILE = 0o600

/** The file name is the mail's id, so a mail that is sent again replaces its file. */
export function folderMailer(directory: string, from: Sender): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true })
  return {
    async send(mail, id) {
      const { message } = await transport.sendMail(composeMail(mail, id, from))
      await writeMailFile(directory, `${id}.eml`, message as Buffer).catch((error: NodeJS.ErrnoException) => {
        throw new MailFailed(`The mail cannot be written to its folder (${error.code})`)
      })
    },
  }
}

async function writeMailFile(directory: string, name: string, message: Buffer): Promise<void> {
  await makeDirectory(directory, OWNER_ONLY_DIRECTORY)
  const path = join(directory, name)
  await writeFile(`${path}.part`, message, { mode: OWNER_ONLY_FILE })
  await rename(`${path}.part`, path)
}
