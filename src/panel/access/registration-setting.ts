import type { Kysely } from 'kysely'
import { settingOf } from '#projections/panel/settings'

/** Whether new accounts can be registered without an invitation. */
export const isRegistrationOpen = (read: Kysely<any>): Promise<boolean> => settingOf(read, 'registrationOpen')
