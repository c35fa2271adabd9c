/** What the section of the registries asks of agents. */
import { z } from 'zod'
import { uuid } from '#kernel/lib/uuid'
import { askKind } from './kind.ts'
import { LoginCheck } from './registry-login.ts'

/** Its secrets are the user name and the password of the registry. */
export const registriesLogin = askKind('registries.login', 1, {
  params: z.strictObject({ registryId: uuid, address: z.string().max(300), publicOnly: z.boolean() }),
  answer: LoginCheck,
  needs: [],
  waitMs: 10_000,
})

export const RegistryCredentials = z.strictObject({ username: z.string(), password: z.string() })

/** Less than the wait for the answer, so that the agent can still tell what has taken so long. */
export const LOGIN_MS = 8_000
