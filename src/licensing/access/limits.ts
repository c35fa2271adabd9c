/** How often a customer may ask for what costs others something. */
import type { Limit } from '#kernel/auth/caller-limits'

export const KEY_READS: Limit = { name: 'key-read', windowMax: 60, windowSeconds: 3_600 }
export const KEY_ROTATIONS: Limit = { name: 'key-rotation', windowMax: 5, windowSeconds: 86_400 }
export const OFFLINE_LEASES: Limit = { name: 'offline-lease', windowMax: 20, windowSeconds: 86_400 }
export const DEACTIVATIONS: Limit = { name: 'own-deactivation', windowMax: 3, windowSeconds: 86_400 }
export const EXPORTS: Limit = { name: 'account-export', windowMax: 5, windowSeconds: 86_400 }
export const CHECKOUTS: Limit = { name: 'checkout', windowMax: 20, windowSeconds: 3_600 }
