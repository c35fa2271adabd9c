/**
 * What a panel remembers of its license. Plain JSON: whoever keeps it (a database, a file) seals it, for `instanceKey` and
 * the request secret in `licenseKey` are secrets. All times are Unix seconds.
 */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { newEd25519 } from '#kernel/credentials/jws'

const seconds = z.int()

export const Memory = z.object({
  version: z.literal(1),
  /** The anchor of the fingerprint: 128 random bits of this installation. */
  installId: z.string(),
  /** Of this instance alone; the service knows its public half from the activation on. */
  instanceKey: z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string(), d: z.string() }),
  licenseKey: z.string().nullable(),
  instanceId: z.string().nullable(),
  /** The last one that a heartbeat brought, and the one that a file brought: neither takes from the other. */
  lease: z.string().nullable(),
  fileLease: z.string().nullable(),
  manifest: z.string().nullable(),
  /** The highest of any manifest that was ever believed. */
  manifestSerial: z.int(),
  /** When the service was last asked for a newer one. */
  manifestAskedAt: seconds,
  /** The latest time that was ever believed: of a lease, of the service, of this clock when the panel last stopped. */
  highWater: seconds,
  /** What this host's clock lacks, as the last good answer showed it. */
  clockOffset: seconds,
  tamperedSince: seconds.nullable(),
  /** Of the last heartbeat; null: none was tried since the panel was activated or started. */
  lastHeartbeat: z.object({ at: seconds, ok: z.boolean() }).nullable(),
  lastGoodAt: seconds.nullable(),
  /** In a row. */
  failures: z.int(),
  /** What the service said when it last refused to activate this panel; null: it has answered well since. Shown to people: it is not signed. */
  refusal: z.object({ at: seconds, code: z.string().nullable(), message: z.string() }).nullable().default(null),
})
export type Memory = z.output<typeof Memory>

const INSTALL_ID_BYTES = 16

export const noLicense = {
  licenseKey: null,
  instanceId: null,
  lease: null,
  fileLease: null,
  lastHeartbeat: null,
  lastGoodAt: null,
  failures: 0,
  refusal: null,
} as const

export const newMemory = (): Memory => ({
  version: 1,
  installId: randomBytes(INSTALL_ID_BYTES).toString('hex'),
  instanceKey: newEd25519(),
  manifest: null,
  manifestSerial: 0,
  manifestAskedAt: 0,
  highWater: 0,
  clockOffset: 0,
  tamperedSince: null,
  ...noLicense,
})

/** Where the memory is kept. What `load` answers is checked; what it does not know is begun anew. */
export interface LicenseMemoryStore {
  load(): Promise<unknown>
  save(memory: Memory): Promise<void>
}
