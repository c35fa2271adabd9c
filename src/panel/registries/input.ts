/** What requests say about a registry. */
import { z } from 'zod'
import { nameSchema } from '#kernel/lib/display-text'
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

export const NewRegistry = z.strictObject({
  kind: z.enum(REGISTRY_KINDS),
  ...fields,
  address,
  projectId: uuid.optional(),
})

export const RegistryChange = changeOf(fields)
