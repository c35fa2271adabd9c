/** Announcements to customers. Each is visible in the shop for a period. */
import { z } from 'zod'
import { reject } from '#kernel/lib/rejection'
import { resource } from '#kernel/resource/resource'

const VISIBLE_MAX = 20

export const announcements = resource('Announcement', {
  stream: 'announcements',
  fields: {
    title: z.string(),
    body: z.string(),
    level: z.enum(['INFO', 'WARNING', 'CRITICAL']),
    visibleFrom: z.iso.datetime(),
    visibleUntil: z.iso.datetime(),
  },
  itemsMax: 500,
  /** The most that are ever visible together are visible when one of their periods begins. */
  rule(all) {
    if (all.some((each) => each.visibleUntil <= each.visibleFrom))
      reject('invalid', 'visibleUntil must be after visibleFrom', 'PERIOD_EMPTY')
    const visibleAt = (at: string) => all.filter((each) => each.visibleFrom <= at && at < each.visibleUntil)
    if (all.some(({ visibleFrom }) => visibleAt(visibleFrom).length > VISIBLE_MAX))
      reject('conflict', `At most ${VISIBLE_MAX} announcements can be visible at the same time`, 'TOO_MANY_VISIBLE')
  },
})
