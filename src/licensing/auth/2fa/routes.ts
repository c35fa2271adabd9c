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
import { staff } from '../../identity/access.ts'
import { staffRealm } from '../../identity/staff-realm.ts'

export const secondFactorRoutes = [
  route('POST /api/admin/auth/2fa/setup', {
    does: 'Begin to set up a second factor. The secret holds for ten minutes, until a code of it is shown to enable.',
    access: staff(),
    reply: TotpSetUp,
    shownOnce: ['secret', 'otpauthUrl'],
    handle: (call) => setUpTotp(staffRealm, call),
  }),

  route('POST /api/admin/auth/2fa/enable', {
    does: 'Enable the second factor with a code of the secret just set up. Answers ten backup codes, this once, and ends my other sessions.',
    access: staff(),
    body: Code,
    reply: BackupCodes,
    shownOnce: ['backupCodes'],
    handle: (call) => enableTotp(staffRealm, call),
  }),

  route('POST /api/admin/auth/2fa/disable', {
    does: 'Disable the second factor. Needs the password, which must be long enough to stand alone, and a code not used before.',
    access: staff(),
    body: PasswordAndCode,
    handle: (call) => disableTotp(staffRealm, call),
  }),
]
