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
    gitProviderId: uuid
      .optional()
      .describe('A provider of yours to connect again. It keeps its name and what it is shared with.'),
    ...sharedFields,
  })
  .refine(isShareWhole, SHARE_WHOLE)
  .refine(
    ({ gitProviderId, name, projectId }) => gitProviderId === undefined || (name ?? projectId) === undefined,
    'A provider that is connected again keeps its name and what it is shared with: send neither',
  )
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
  code: said.describe('What the panel exchanges for a token, once.'),
  state: said.describe('The one that the authorization URL has.'),
  error: said.describe('Why the provider gives no code.'),
  error_description: said.describe('Not read.'),
  error_uri: said.describe('Not read.'),
  iss: said.describe('The address of the provider. Another one than that of the sign-in is refused.'),
  scope: said.describe('Not read.'),
  session_state: said.describe('Not read.'),
})
export type CallbackQuery = z.output<typeof CallbackQuery>
