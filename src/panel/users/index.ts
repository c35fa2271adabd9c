import { section } from '#kernel/resource/section'
import { erasedUserTable, userPreferenceTable, userTable } from '#projections/panel/users'
import { userRoster, users } from './decider.ts'
import { userEvents, userPreferenceEvents, userRosterEvents } from './events.ts'
import { userRoutes } from './routes.ts'

export const usersSection = section({
  name: 'users',
  streams: [userEvents, userRosterEvents, userPreferenceEvents],
  deciders: [users, userRoster],
  readModels: [userTable, erasedUserTable, userPreferenceTable],
  routes: userRoutes,
})
