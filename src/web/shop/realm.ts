import {
  getShopMe,
  postShopAuthLogin,
  postShopAuthLogout,
  postShopAuthRefresh,
  postShopAuthStepUp,
} from '#api-client/licensing/bare'
import type { Realm } from '../session/realm.ts'

export const CUSTOMER: Realm = {
  kind: 'customer',
  login: postShopAuthLogin,
  refresh: postShopAuthRefresh,
  logout: postShopAuthLogout,
  me: getShopMe,
  stepUp: postShopAuthStepUp,
}
