import { getAuthMe, postAuthLogin, postAuthLogout, postAuthRefresh } from '#api-client/panel/bare'
import type { Realm } from '../session/realm.ts'

export const USER: Realm = {
  kind: 'user',
  login: postAuthLogin,
  refresh: postAuthRefresh,
  logout: postAuthLogout,
  me: getAuthMe,
}
