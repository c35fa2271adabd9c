/** Backup codes for second factors that tests enable without the routes. */
import { hashBackupCodes, newBackupCodes } from '#kernel/credentials/backup-codes'

export interface Codes {
  readonly codes: readonly string[]
  readonly backupCodes: string[]
}

let made: Promise<Codes> | undefined

/** Made once a process, because hashing ten codes takes longer than most tests. Every account has the same codes. */
export const someBackupCodes = (): Promise<Codes> =>
  (made ??= (async () => {
    const codes = newBackupCodes()
    return { codes, backupCodes: await hashBackupCodes(codes) }
  })())
