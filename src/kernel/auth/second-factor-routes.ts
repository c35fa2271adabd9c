/** The routes by which somebody with a session keeps a second factor: the same in every realm. */
import { route } from '../http/route.ts'
import type { Access, Route } from '../http/route.ts'
import {
  BackupCodes,
  disableTotp,
  enableTotp,
  Password,
  PasswordAndCode,
  setUpTotp,
  TotpSetUp,
} from './manage-credentials.ts'
import type { Realm } from './realm.ts'

/** @param access a session of the realm, for what is its holder's own */
export const secondFactorRoutes = (realm: Realm, access: Access): Route[] => [
  route(`POST ${realm.authPath}/2fa/setup`, {
    does: 'Begin to set up a second factor. Needs the password. This session can enable the secret for ten minutes.',
    access,
    body: Password,
    reply: TotpSetUp,
    shownOnce: ['secret', 'otpauthUrl'],
    handle: (call) => setUpTotp(realm, call),
  }),

  route(`POST ${realm.authPath}/2fa/enable`, {
    does: 'Enable the secret just set up by the password and a code of it. Answers ten backup codes once, and ends the other sessions.',
    access,
    body: PasswordAndCode,
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
