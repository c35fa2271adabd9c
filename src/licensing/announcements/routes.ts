import { nameSchema, reasonSchema } from '#kernel/lib/display-text'
import { newestFirst } from '#kernel/resource/list-route'
import { resourceRoutes } from '#kernel/resource/resource-routes'
import { announcementTable } from '#projections/licensing/announcements'
import { customer, staff } from '../access/access.ts'
import { announcements } from './resource.ts'

const { list, read, create, change, remove } = resourceRoutes(announcements, {
  table: announcementTable,
  view: staff('settings:view'),
  manage: staff('settings:manage'),
  lists: newestFirst,
  input: { title: nameSchema(200), body: reasonSchema(5_000) },
})

const announcement = read('GET /api/admin/announcements/:id', 'Read an announcement.')

export const announcementRoutes = [
  list('GET /api/admin/announcements', 'List all announcements to customers, newest first.'),
  announcement,
  create('POST /api/admin/announcements', 'Create an announcement. At most 20 are visible at once.'),
  change(
    'PATCH /api/admin/announcements/:id',
    'Change an announcement or its period. At most 20 are visible at once.',
    announcement,
  ),
  remove('DELETE /api/admin/announcements/:id', 'Delete an announcement.'),
  list('GET /api/shop/announcements', 'List the announcements that are visible now, newest first.', {
    access: customer,
    only: (rows, { now }) =>
      rows.where('visibleFrom', '<=', now.toISOString()).where('visibleUntil', '>', now.toISOString()),
  }),
]
