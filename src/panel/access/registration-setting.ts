import type { ReadDatabase } from '#kernel/projections/read-database'
import { settingOf } from '#projections/panel/settings'

/** Whether new accounts can be registered without an invitation. */
export const isRegistrationOpen = (read: ReadDatabase): Promise<boolean> => settingOf(read, 'registrationOpen')
