import { tmpdir } from 'node:os'

/** Where throw-away directories go. Root's TMPDIR may be private, and Postgres does not run as root. */
export const scratchBase = process.getuid?.() === 0 ? '/tmp' : tmpdir()
