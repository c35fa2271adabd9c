import { z } from 'zod'

export const Profile = z
  .object({
    id: z.uuid(),
    email: z.string(),
    name: z.string().nullable(),
    company: z.string().nullable(),
    totpEnabled: z.boolean(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'CustomerProfile' })
