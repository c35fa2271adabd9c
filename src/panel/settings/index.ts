import { section } from '#kernel/resource/section'
import { settingTable } from '#projections/panel/settings'
import { settingEvents } from './events.ts'
import { settingRoutes } from './routes.ts'

export const settingsSection = section({
  name: 'settings',
  streams: [settingEvents],
  readModels: [settingTable],
  routes: settingRoutes,
})
