import { section } from '#kernel/resource/section'
import { erasedUserTable, userPreferenceTable, userTable } from '#projections/panel/users'
import { accountListViewers, eitherOf, noAccount, streamOwner } from '../access/audiences.ts'
import { userPreferences, userRoster, users } from './decider.ts'
import { userRoutes } from './routes.ts'

export const usersSection = section({
  name: 'users',
  deciders: [users, userRoster, userPreferences],
  visibleTo: {
    user: eitherOf(streamOwner, accountListViewers),
    userPreferences: streamOwner,
    userRoster: noAccount,
  },
  readModels: [userTable, erasedUserTable, userPreferenceTable],
  routes: userRoutes,
})
