import { route } from '#kernel/http/route'
import {
  BackupCodes,
  Code,
  disableTotp,
  enableTotp,
  PasswordAndCode,
  setUpTotp,
  TotpSetUp,
} from '#kernel/realm/own-proofs'
import { session } from '../../identity/access.ts'
import { userRealm } from '../../identity/user-realm.ts'

export const secondFactorRoutes = [
  route('POST /api/auth/2fa/setup', {
    does: 'Begin to set up a second factor. The secret holds for ten minutes, until a code of it is shown to enable.',
    access: session,
    reply: TotpSetUp,
    shownOnce: ['secret', 'otpauthUrl'],
    handle: (call) => setUpTotp(userRealm, call),
  }),

  route('POST /api/auth/2fa/enable', {
    does: 'Enable the second factor with a code of the secret just set up. Answers ten backup codes, this once, and ends my other sessions.',
    access: session,
    body: Code,
    reply: BackupCodes,
    shownOnce: ['backupCodes'],
    handle: (call) => enableTotp(userRealm, call),
  }),

  route('POST /api/auth/2fa/disable', {
    does: 'Disable the second factor. Needs the password, which must be long enough to stand alone, and a code not used before. Ends my other sessions.',
    access: session,
    body: PasswordAndCode,
    handle: (call) => disableTotp(userRealm, call),
  }),
]
