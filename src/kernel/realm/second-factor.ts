/** The routes by which somebody with a session keeps a second factor: the same in every realm. */
import { route } from '../http/route.ts'
import type { Access, Route } from '../http/route.ts'
import { BackupCodes, Code, disableTotp, enableTotp, PasswordAndCode, setUpTotp, TotpSetUp } from './own-proofs.ts'
import type { Realm } from './realm.ts'

/** @param access a session of the realm, for what is its holder's own */
export const secondFactorRoutes = (realm: Realm, access: Access): Route[] => [
  route(`POST ${realm.authPath}/2fa/setup`, {
    does: 'Begin to set up a second factor. The secret holds for ten minutes, until a code of it is shown to enable.',
    access,
    reply: TotpSetUp,
    shownOnce: ['secret', 'otpauthUrl'],
    handle: (call) => setUpTotp(realm, call),
  }),

  route(`POST ${realm.authPath}/2fa/enable`, {
    does: 'Enable the second factor with a code of the secret just set up. Answers ten backup codes, this once, and ends my other sessions.',
    access,
    body: Code,
    reply: BackupCodes,
    shownOnce: ['backupCodes'],
    handle: (call) => enableTotp(realm, call),
  }),

  route(`POST ${realm.authPath}/2fa/disable`, {
    does: 'Disable the second factor. Needs the password, which must be long enough to stand alone, and a code not used before. Ends my other sessions.',
    access,
    body: PasswordAndCode,
    handle: (call) => disableTotp(realm, call),
  }),
]
