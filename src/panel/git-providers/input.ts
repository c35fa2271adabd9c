/** What requests say about a provider and its repositories. */
import { createPrivateKey } from 'node:crypto'
import { z } from 'zod'
import { nameSchema } from '#kernel/lib/display-text'
import { uuid } from '#kernel/lib/uuid'
import { parseTargetUrl } from '#kernel/outbound/target-url'
import { GIT_KINDS } from './events.ts'
import { KINDS } from './kinds.ts'

/** How many repositories can be shared with a project. */
export const SHARED_MAX = 20
const TOKEN_CHARS_MAX = 8_192
const SSH_URL = /^ssh:\/\/[a-z_][a-z0-9_-]{0,31}@(?:[a-z0-9][a-z0-9.-]{0,252}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/

const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^\P{Cc}*$/u, 'must be a single line without control characters')

const segments = (text: string): string[] => text.split('/')
const isPath = (text: string): boolean =>
  !text.startsWith('-') && segments(text).every((each) => each !== '' && each !== '.' && each !== '..')

/** `ada/shop`, or with more groups before the name. */
export const repositoryName = z
  .string()
  .max(300)
  .regex(/^[\w.~-]+(?:\/[\w.~-]+)*$/, 'must be names of letters, digits and ._~- with slashes between them')
  .refine(isPath, 'must not have a part . or .., and must not begin with -')

/** The names that git takes (git-check-ref-format), without those that a shell or a URL reads in another way. */
export const refName = z
  .string()
  .max(250)
  .regex(/^[\w.@+#-]+(?:\/[\w.@+#-]+)*$/, 'must be the name of a branch or a tag, or a commit')
  .refine((text) => isPath(text) && !/\.\.|\.lock(?:$|\/)|\.$/.test(text), 'must be a name that git takes')

export const filePath = line(1_000).refine(
  isPath,
  'must be a path in the repository, without . or .. and no slash at its ends',
)

const isPrivateKey = (text: string): boolean => {
  if (/^-----BEGIN OPENSSH PRIVATE KEY-----\n[A-Za-z0-9+/=\n]+-----END OPENSSH PRIVATE KEY-----$/.test(text))
    return true
  try {
    createPrivateKey(text)
    return true
  } catch {
    return false
  }
}

/** @returns undefined for what is no address of that kind */
export function addressOf(kind: (typeof GIT_KINDS)[number], text: string): string | undefined {
  if (kind === 'SSH') return SSH_URL.test(text.toLowerCase()) ? text.toLowerCase() : undefined
  const url = parseTargetUrl(text)
  if (!(url instanceof URL) || url.search !== '') return undefined
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return url.protocol === 'https:' || isLocal ? url.href.replace(/\/+$/, '') : undefined
}

const OPTIONAL = ['baseUrl', 'account', 'username'] as const

export const NewGitProvider = z
  .strictObject({
    kind: z.enum(GIT_KINDS),
    name: nameSchema(100),
    baseUrl: line(500).optional(),
    account: line(255)
      .regex(/^[\w.-]+$/, 'must be the short name of a workspace')
      .optional(),
    username: line(255)
      .regex(/^[^:]*$/, 'must not contain a colon')
      .optional(),
    token: z.string().trim().min(1).max(TOKEN_CHARS_MAX),
    projectId: uuid.optional(),
    repositories: z.array(repositoryName).max(SHARED_MAX).optional(),
  })
  .superRefine((body, issues) => {
    const { takes, needs, way } = KINDS[body.kind]
    const tell = (message: string) => issues.addIssue({ code: 'custom', message })
    for (const field of needs)
      if (body[field] === undefined)
        issues.addIssue({ code: 'custom', path: [field], message: `is needed for ${body.kind}` })
    for (const field of OPTIONAL)
      if (body[field] !== undefined && !takes.includes(field))
        tell(`Leave out ${field}: a provider of kind ${body.kind} does not have it`)
    if (body.baseUrl !== undefined && addressOf(body.kind, body.baseUrl) === undefined)
      tell(`baseUrl must be ${way === 'KEY' ? 'like ssh://git@host:22' : 'an https URL without a query'}`)
    if (way === 'KEY' && !isPrivateKey(body.token)) tell('token must be a private key without a passphrase')
    if (way === 'TOKEN' && !/^[\x21-\x7e]+$/.test(body.token)) tell('token must be a single line without spaces')
    if ((body.projectId === undefined) !== (body.repositories === undefined || body.repositories.length === 0))
      tell('Send projectId and repositories together, or neither')
  })
  .transform((body) => ({
    ...body,
    baseUrl: body.baseUrl === undefined ? KINDS[body.kind].baseUrl! : addressOf(body.kind, body.baseUrl)!,
  }))
  .meta({
    description:
      'GITEA, GENERIC and SSH need baseUrl, BITBUCKET needs account. repositories and projectId go together.',
    examples: [{ kind: 'GITHUB', name: 'Our GitHub', token: 'github_pat_an-example' }],
  })
export type NewGitProvider = z.output<typeof NewGitProvider>

export const RepositoryQuery = z.strictObject({
  search: z.string().trim().max(100).default(''),
  page: z.coerce.number().int().min(1).max(1_000).default(1),
})

const place = { repo: repositoryName, ref: refName.optional() }
export const TreeQuery = z.strictObject({ ...place, path: filePath.or(z.literal('')).default('') })
export const FileQuery = z.strictObject({ ...place, path: filePath })
