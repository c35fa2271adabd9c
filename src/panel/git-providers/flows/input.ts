/** What requests say about a sign-in at a provider. */
import { z } from 'zod'
import { nameSchema } from '#kernel/lib/display-text'
import { uuid } from '#kernel/lib/uuid'
import { addressOf, repositoryName, SHARED_MAX } from '../input.ts'
import { REDIRECT_KINDS } from './events.ts'

export const sharedFields = {
  projectId: uuid.optional(),
  repositories: z.array(repositoryName).max(SHARED_MAX).optional(),
}

interface Shared {
  readonly projectId?: string | undefined
  readonly repositories?: readonly string[] | undefined
}

export const isShareWhole = ({ projectId, repositories = [] }: Shared): boolean =>
  (projectId === undefined) === (repositories.length === 0)
export const SHARE_WHOLE = 'Send projectId and repositories together, or neither'

const USUAL_NAMES = { GITLAB: 'GitLab', GITEA: 'Gitea' } as const

const credential = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[\x21-\x7e]+$/, 'must be a single line without spaces')

export const SelfHostedStart = z
  .strictObject({
    kind: z.enum(REDIRECT_KINDS),
    baseUrl: z.string().max(500),
    clientId: credential(500),
    clientSecret: credential(2_000),
    name: nameSchema(100).optional(),
    ...sharedFields,
  })
  .refine(isShareWhole, SHARE_WHOLE)
  .refine(({ kind, baseUrl }) => addressOf(kind, baseUrl) !== undefined, 'baseUrl must be an https URL without a query')
  .transform(({ kind, baseUrl, name = USUAL_NAMES[kind], ...start }) => ({
    ...start,
    kind,
    name,
    baseUrl: addressOf(kind, baseUrl)!,
  }))
  .meta({
    examples: [
      {
        kind: 'GITLAB',
        baseUrl: 'https://gitlab.example.com',
        clientId: 'the-id-of-the-application',
        clientSecret: 'the-secret-of-the-application',
      },
    ],
  })
export type SelfHostedStart = z.output<typeof SelfHostedStart>

const said = z.string().max(8_192).optional()

/** What providers send back: code or error, and what says more about them. */
export const CallbackQuery = z.strictObject({
  code: said,
  state: said,
  error: said,
  error_description: said,
  error_uri: said,
  iss: said,
  scope: said,
  session_state: said,
})
export type CallbackQuery = z.output<typeof CallbackQuery>
