import { section } from '#kernel/resource/section'
import { settingTable } from '#projections/panel/settings'
import { holdersOf } from '../access/audiences.ts'
import { settings } from './decider.ts'
import { settingRoutes } from './routes.ts'

export const settingsSection = section({
  name: 'settings',
  deciders: [settings],
  visibleTo: { settings: holdersOf('settings:view') },
  readModels: [settingTable],
  routes: settingRoutes,
})
