import { existsSync } from 'node:fs'

/** Debian: chromium. */
export const CHROMIUM = '/usr/bin/chromium'

export const isChromiumInstalled = existsSync(CHROMIUM)
