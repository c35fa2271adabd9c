import type { Kysely } from 'kysely'

/** Whether anybody may open an account: not until the installation's settings can say so. */
export const isRegistrationOpen = async (_read: Kysely<any>): Promise<boolean> => false
