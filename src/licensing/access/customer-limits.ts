/** Limits for customers on operations that send mail or write events. */
import type { CallerLimit } from '#kernel/auth/caller-limits'

export const KEY_READ_LIMIT: CallerLimit = { name: 'key-read', windowMax: 60, windowSeconds: 3_600 }
export const KEY_ROTATION_LIMIT: CallerLimit = { name: 'key-rotation', windowMax: 5, windowSeconds: 86_400 }
export const OFFLINE_LEASE_LIMIT: CallerLimit = { name: 'offline-lease', windowMax: 20, windowSeconds: 86_400 }
export const DEACTIVATION_LIMIT: CallerLimit = { name: 'own-deactivation', windowMax: 3, windowSeconds: 86_400 }
export const EXPORT_LIMIT: CallerLimit = { name: 'account-export', windowMax: 5, windowSeconds: 86_400 }
export const CHECKOUT_LIMIT: CallerLimit = { name: 'checkout', windowMax: 20, windowSeconds: 3_600 }
