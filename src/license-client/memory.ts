/**
 * The stored state of a panel's license. Plain JSON; the store (a database, a file) must seal it,
 * because `instanceKey` and the request secret in `licenseKey` are secrets. All times are Unix seconds.
 */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { newEd25519 } from '#kernel/credentials/jws'

const seconds = z.int()

export const Memory = z.object({
  version: z.literal(1),
  /** The anchor of the fingerprint: 128 random bits of this installation. */
  installId: z.string(),
  /** The key of this instance; the service knows its public half since the activation. */
  instanceKey: z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string(), d: z.string() }),
  licenseKey: z.string().nullable(),
  instanceId: z.string().nullable(),
  /** The last lease from a heartbeat, and the one from a file: they are independent. */
  lease: z.string().nullable(),
  fileLease: z.string().nullable(),
  manifest: z.string().nullable(),
  /** The highest serial of any manifest that was accepted. */
  manifestSerial: z.int(),
  /** When the service was last asked for a newer one. */
  manifestAskedAt: seconds,
  /**
   * The latest time that was ever trusted: of a lease, of the service, or of this clock when the panel
   * last stopped.
   */
  highWater: seconds,
  /** The offset of this host's clock from the service's, according to the last valid response. */
  clockOffset: seconds,
  tamperedSince: seconds.nullable(),
  /** The last heartbeat; null: none since the activation or the start of the panel. */
  lastHeartbeat: z.object({ at: seconds, ok: z.boolean() }).nullable(),
  lastGoodAt: seconds.nullable(),
  /** Consecutive failures. */
  failures: z.int(),
  /**
   * The last refusal to activate this panel; null after a valid response. Only for display, because it
   * is not signed.
   */
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

/** The store of the memory. The result of `load` is validated; an invalid one is replaced by a new memory. */
export interface LicenseMemoryStore {
  load(): Promise<unknown>
  save(memory: Memory): Promise<void>
}
