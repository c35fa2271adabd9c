import { section } from '#kernel/resource/section'
import { settingTable } from '#projections/panel/settings'
import { holdersOf } from '../access/audiences.ts'
import { settingEvents } from './events.ts'
import { settingRoutes } from './routes.ts'

export const settingsSection = section({
  name: 'settings',
  streams: [settingEvents],
  visibleTo: { settings: holdersOf('settings:view') },
  readModels: [settingTable],
  routes: settingRoutes,
})
