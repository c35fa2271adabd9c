import { serviceKey } from '#kernel/lib/services'

/** The port that this panel listens on, on its own host. Undefined: it is not known. */
export const panelPort = serviceKey<number | undefined>('port of the panel', undefined)
