/** What requests say about a registry. */
import { z } from 'zod'
import { nameSchema } from '#kernel/lib/display-text'
import { reject } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { changeOf } from '#kernel/resource/change-of'
import { registryUrl } from '../../tasks/registry-login.ts'
import { REGISTRY_KINDS } from './events.ts'

const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^\P{Cc}*$/u, 'must be a single line without control characters')

const fields = {
  name: nameSchema(100),
  username: line(255).regex(/^[^:]*$/, 'must not contain a colon'),
  password: line(4_096),
}

const address = z
  .string()
  .trim()
  .toLowerCase()
  .max(300)
  .regex(/^[a-z0-9.-]+(?::\d{1,5})?$|^\[[0-9a-f:.]+\](?::\d{1,5})?$/, 'must be a host name or an IP address')
  .refine((text) => registryUrl(text) !== undefined, 'must have port 443, or another one from 1024 on')

const AMOUNT_MAX = 1_000_000_000
const MEMORY_MIB = 256
const CPU_MILLIS = 250

/** The fields of each kind, beside those that both have. */
const BY_KIND = {
  EXTERNAL: { needs: ['address', 'username', 'password'], has: [] },
  SELF_HOSTED: { needs: ['serverId', 'diskMiB'], has: ['memoryMiB', 'cpuMillis'] },
} as const

export const NewRegistry = z
  .strictObject({
    kind: z.enum(REGISTRY_KINDS),
    name: fields.name,
    projectId: uuid.optional(),
    address: address.optional(),
    username: fields.username.optional(),
    password: fields.password.optional(),
    serverId: uuid.optional(),
    diskMiB: z.int().min(100).max(AMOUNT_MAX).optional(),
    memoryMiB: z.int().min(64).max(AMOUNT_MAX).optional(),
    cpuMillis: z.int().min(50).max(AMOUNT_MAX).optional(),
  })
  .superRefine((body, issues) => {
    for (const [kind, { needs, has }] of Object.entries(BY_KIND)) {
      const missing = kind === body.kind ? needs.filter((field) => body[field] === undefined) : []
      const foreign = kind === body.kind ? [] : [...needs, ...has].filter((field) => body[field] !== undefined)
      for (const field of missing)
        issues.addIssue({ code: 'custom', path: [field], message: `is needed for ${body.kind}` })
      for (const field of foreign)
        issues.addIssue({
          code: 'custom',
          message: `Leave out ${field}: a registry of kind ${body.kind} does not have it`,
        })
    }
  })
  .meta({
    description:
      'EXTERNAL has address, username and password. SELF_HOSTED has serverId, diskMiB, memoryMiB and cpuMillis.',
    examples: [
      {
        kind: 'EXTERNAL',
        name: 'Images',
        address: 'ghcr.io',
        username: 'robot',
        password: 'tidal-lantern-quartz-09',
      },
    ],
  })
type NewRegistry = z.output<typeof NewRegistry>

/** What a registry reserves of its server. Undefined for one that runs elsewhere. */
export const reservedBy = ({ serverId, diskMiB, memoryMiB = MEMORY_MIB, cpuMillis = CPU_MILLIS }: NewRegistry) =>
  serverId !== undefined && diskMiB !== undefined ? { serverId, diskMiB, memoryMiB, cpuMillis } : undefined

export const RegistryChange = changeOf(fields)

/** Of bcrypt, which hashes no more. */
const HASHED_BYTES_MAX = 72

/** @throws Rejection 400 PASSWORD_TOO_LONG */
export function mustBeHashable(password: string | undefined): void {
  if (Buffer.byteLength(password ?? '') > HASHED_BYTES_MAX)
    reject('invalid', `The password of a registry here has at most ${HASHED_BYTES_MAX} bytes`, 'PASSWORD_TOO_LONG')
}
