import { z } from 'zod'
import { nameSchema } from '#kernel/lib/display-text'
import { anyField } from '#kernel/lib/given-fields'
import { FINGERPRINT_COMPONENTS } from '../instances/events.ts'

/** An HMAC of 16 bytes in any encoding that a panel uses. */
const component = z.string().regex(/^[A-Za-z0-9_-]{16,64}$/)

export const Fingerprint = z.strictObject({
  scheme: z.literal('fp1'),
  components: anyField(
    z.strictObject(Object.fromEntries(FINGERPRINT_COMPONENTS.map((name) => [name, component.optional()]))),
    'must contain at least one component',
  ),
})

export const version = nameSchema(64)
