import { section } from '#kernel/resource/section'
import { artifactTable, versionTable } from '#projections/licensing/versions'
import { versions } from './decider.ts'
import { versionEvents } from './events.ts'
import { versionRoutes } from './routes.ts'

export const versionsSection = section({
  name: 'versions',
  streams: [versionEvents],
  deciders: [versions],
  readModels: [versionTable, artifactTable],
  routes: versionRoutes,
})
