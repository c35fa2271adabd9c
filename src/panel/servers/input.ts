/** What requests say about a server. */
import { z } from 'zod'
import { allowedIpsInput, parseAllowedIps } from '#kernel/credentials/allowed-ips'
import { parseIp } from '#kernel/credentials/ip-address'
import { nameSchema, reasonSchema } from '#kernel/lib/display-text'
import { changeOf } from '#kernel/resource/change-of'

const LABELS_MAX = 20
const PORT_MAX = 65_535

/** A host name (RFC 1123, 2.1) without the limit of its parts, or what may be an IPv6 address. */
const ADDRESS = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|[0-9a-f:.]{2,45})$/

const NO_ADDRESS = 'must be a host name or an IP address'
const isAddress = (text: string): boolean => !text.includes(':') || parseIp(text) !== undefined

const label = z
  .string()
  .max(63)
  .regex(
    /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/,
    'Use lower-case letters and digits, and dots, hyphens and underscores between them',
  )

const fields = {
  name: nameSchema(64),
  description: reasonSchema(1_000).nullable().default(null),
  publicAddress: z
    .string()
    .trim()
    .toLowerCase()
    .max(253)
    .regex(ADDRESS, NO_ADDRESS)
    .refine(isAddress, NO_ADDRESS)
    .nullable()
    .default(null),
  allowedIps: allowedIpsInput,
  labels: z
    .array(label)
    .max(LABELS_MAX)
    .transform((labels) => [...new Set(labels)])
    .default([]),
}

export const NewServer = z.strictObject(fields)

export const ServerChange = changeOf({
  ...fields,
  meshPort: z.int().min(1).max(PORT_MAX).nullable(),
  cordoned: z.boolean(),
})

/** The rules of allowedIps in canonical form. @throws Rejection 400 ALLOWED_IPS_INVALID */
export const withCanonicalIps = <Body extends { readonly allowedIps?: readonly string[] | undefined }>(body: Body) => ({
  ...body,
  ...(body.allowedIps && { allowedIps: parseAllowedIps(body.allowedIps) }),
})
