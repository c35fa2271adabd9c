import type { Kysely } from 'kysely'
import { settingOf } from '#projections/panel/settings'

/** Whether anybody may open an account. */
export const isRegistrationOpen = (read: Kysely<any>): Promise<boolean> => settingOf(read, 'registrationOpen')
