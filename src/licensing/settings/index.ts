import { section } from '#kernel/resource/section'
import { settingTable } from '#projections/licensing/settings'
import { signingKeyRoutes } from '../signing-keys/routes.ts'
import { settings } from './decider.ts'
import { settingRoutes } from './routes.ts'

export const settingsSection = section({
  name: 'settings',
  deciders: [settings],
  readModels: [settingTable],
  routes: [...settingRoutes, ...signingKeyRoutes],
})
