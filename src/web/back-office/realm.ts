import {
  getAdminAuthMe,
  postAdminAuthLogin,
  postAdminAuthLogout,
  postAdminAuthRefresh,
  postAdminAuthStepUp,
} from '#api-client/licensing/bare'
import type { Realm } from '../session/realm.ts'

export const STAFF: Realm = {
  kind: 'staff',
  login: postAdminAuthLogin,
  refresh: postAdminAuthRefresh,
  logout: postAdminAuthLogout,
  me: getAdminAuthMe,
  stepUp: postAdminAuthStepUp,
}
