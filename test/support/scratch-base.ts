import { tmpdir } from 'node:os'

/** The parent of temporary directories. Root's TMPDIR may be private, and Postgres does not run as root. */
export const scratchBase = process.getuid?.() === 0 ? '/tmp' : tmpdir()
