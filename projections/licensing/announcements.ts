import { resourceTable } from '#kernel/resource/resource-table'
import { announcements } from '#licensing/announcements/resource'

export const announcementTable = resourceTable(announcements)
