import { section } from '#kernel/resource/section'
import { notificationTable } from '#projections/panel/notifications'
import { streamOwner } from '../access/audiences.ts'
import { notifications } from './decider.ts'
import {
  expireNotifications,
  notifyAccounts,
  notifyDeletions,
  notifyKeyChanges,
  notifyLicenseChanges,
  notifyNewDevices,
  notifyProjectMembers,
  notifyProviderOwners,
  notifyTeamMembers,
} from './reactions.ts'
import { notificationRoutes } from './routes.ts'
import { notifyServerManagers } from './server-notices.ts'

export const notificationsSection = section({
  name: 'notifications',
  deciders: [notifications],
  visibleTo: { notifications: streamOwner },
  readModels: [notificationTable],
  routes: notificationRoutes,
  reactions: [
    notifyAccounts,
    notifyNewDevices,
    notifyKeyChanges,
    notifyProjectMembers,
    notifyTeamMembers,
    notifyDeletions,
    notifyLicenseChanges,
    notifyServerManagers,
    notifyProviderOwners,
  ],
  timers: [expireNotifications],
})
