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
import { customer } from '../../../identity/access.ts'
import { customerRealm } from '../../../identity/customer-realm.ts'

export const shopSecondFactorRoutes = [
  route('POST /api/shop/auth/2fa/setup', {
    does: 'Begin to set up a second factor. The secret holds for ten minutes, until a code of it is shown to enable.',
    access: customer,
    reply: TotpSetUp,
    shownOnce: ['secret', 'otpauthUrl'],
    handle: (call) => setUpTotp(customerRealm, call),
  }),

  route('POST /api/shop/auth/2fa/enable', {
    does: 'Enable the second factor with a code of the secret just set up. Answers ten backup codes, this once, and ends my other sessions.',
    access: customer,
    body: Code,
    reply: BackupCodes,
    shownOnce: ['backupCodes'],
    handle: (call) => enableTotp(customerRealm, call),
  }),

  route('POST /api/shop/auth/2fa/disable', {
    does: 'Disable the second factor. Needs the password, which must be long enough to stand alone, and a code not used before.',
    access: customer,
    body: PasswordAndCode,
    handle: (call) => disableTotp(customerRealm, call),
  }),
]
