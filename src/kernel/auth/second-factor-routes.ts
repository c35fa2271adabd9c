/** The routes to set up, enable and disable a second factor: the same in every realm. */
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

/** @param access sessions of the realm, for the caller's own account */
export const secondFactorRoutes = (realm: Realm, access: Access): Route[] => [
  route(`POST ${realm.authPath}/2fa/setup`, {
    does: 'Start to set up a second factor. Needs the password. Only this session can enable the secret, within ten minutes.',
    access,
    body: Password,
    reply: TotpSetUp,
    shownOnce: ['secret', 'otpauthUrl'],
    handle: (call) => setUpTotp(realm, call),
  }),

  route(`POST ${realm.authPath}/2fa/enable`, {
    does: 'Enable the second factor by the password and a first code. Returns ten backup codes once and ends the other sessions.',
    access,
    body: PasswordAndCode,
    reply: BackupCodes,
    shownOnce: ['backupCodes'],
    handle: (call) => enableTotp(realm, call),
  }),

  route(`POST ${realm.authPath}/2fa/disable`, {
    does: 'Disable the second factor by the password, which must satisfy the policy without it, and a new code. Ends other sessions.',
    access,
    body: PasswordAndCode,
    handle: (call) => disableTotp(realm, call),
  }),
]
