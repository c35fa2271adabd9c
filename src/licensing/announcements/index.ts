import { section } from '#kernel/resource/section'
import { announcementTable } from '#projections/licensing/announcements'
import { announcements } from './resource.ts'
import { announcementRoutes } from './routes.ts'

export const announcementsSection = section({
  name: 'announcements',
  deciders: [announcements],
  readModels: [announcementTable],
  routes: announcementRoutes,
})
