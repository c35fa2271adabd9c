import { z } from 'zod'

export const instant = z.iso.datetime()

export const Artifact = z
  .object({
    id: z.uuid(),
    name: z.string(),
    size: z.int(),
    sha256: z.string(),
    kid: z.string(),
    /** A JWS over name, version, size and sha256, to verify with the published keys. */
    signature: z.string(),
    createdAt: instant,
  })
  .meta({ id: 'Artifact' })
