/** Backup codes for second factors that tests enable past the routes. */
import { hashBackupCodes, newBackupCodes } from '#kernel/credentials/backup-codes'

export interface Codes {
  readonly codes: readonly string[]
  readonly backupCodes: string[]
}

let made: Promise<Codes> | undefined

/** Made once a process, since hashing ten of them takes longer than most tests: every account has the same. */
export const someBackupCodes = (): Promise<Codes> =>
  (made ??= (async () => {
    const codes = newBackupCodes()
    return { codes, backupCodes: await hashBackupCodes(codes) }
  })())
