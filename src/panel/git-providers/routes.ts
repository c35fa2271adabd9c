import { z } from 'zod'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { flag } from '#kernel/lib/flag'
import { reject } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { arrayLists } from '#kernel/resource/array-lists'
import { listRoute } from '#kernel/resource/list-route'
import { readRow } from '#kernel/resource/read-row'
import { gitProviderTable } from '#projections/panel/git-providers'
import type { GitProviderRow } from '#projections/panel/git-providers'
import { settingOf } from '#projections/panel/settings'
import { session } from '../access/access.ts'
import { gitProviderLister, gitProviderRemover, gitProviderUser } from '../access/git-provider-access.ts'
import { userCallerOf } from '../access/user-caller.ts'
import { GIT_ENTRY_TYPES } from '../adapters/git/git-reader.ts'
import { removeProviderBy } from '../workflows/git-providers.ts'
import { connectProvider } from './connect.ts'
import { GIT_KINDS } from './events.ts'
import { REDIRECT_KINDS } from './flows/events.ts'
import { forgeOfCall } from './forges.ts'
import { FileQuery, NewGitProvider, RepositoryQuery, TreeQuery } from './input.ts'
import { KINDS } from './kinds.ts'
import { readerFor } from './reader.ts'
import { namesIn, sharedRepositories } from './shared-repositories.ts'
import { refuseUsed } from './uses.ts'

const GitKindView = z
  .object({
    kind: z.enum(GIT_KINDS),
    ways: z
      .array(z.enum(['TOKEN', 'KEY', 'DEVICE', 'OAUTH']))
      .describe('How it can be connected: by a token, by a private key, by a code that you enter there, or by OAuth.'),
    configured: z.boolean().describe('Whether all of its ways can be used. DEVICE needs the setting `gitHubClientId`.'),
    baseUrl: z.string().nullable().describe('Where it is unless a request says it. Null: a request says it.'),
    takes: z
      .array(z.enum(['baseUrl', 'account', 'username']))
      .describe('The fields of a new provider that this kind has beside name and token.'),
    needs: z.array(z.enum(['baseUrl', 'account'])).describe('Those that it needs.'),
    hasApi: z.boolean().describe('Whether it checks credentials at once, and lists repositories.'),
  })
  .meta({ id: 'GitKind' })

const GitProvider = z
  .object({
    id: z.uuid(),
    kind: z.enum(GIT_KINDS),
    name: z.string(),
    baseUrl: z.string(),
    account: z.string().nullable().describe('Whose the credentials are, as the provider names it. Null: not known.'),
    projectId: z.uuid().nullable().describe('The project that it is shared with. Null: its owner alone uses it.'),
    repositories: z.array(z.string()).describe('What the project may use of it.'),
    isMine: z.boolean().describe('Whether the caller has connected it, and uses all of its repositories.'),
    status: z
      .enum(['CHECKED', 'UNCHECKED', 'REFUSED'])
      .describe(
        'UNCHECKED: this kind has no API, so the credentials are checked when they are first used. ' +
          'REFUSED: it renews its token no more, so connect it again.',
      ),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'GitProvider' })

const statusOf = ({ kind, isRefused }: GitProviderRow) => {
  if (isRefused) return 'REFUSED' as const
  return KINDS[kind].hasApi ? ('CHECKED' as const) : ('UNCHECKED' as const)
}

const isOAuth = (kind: string): boolean => REDIRECT_KINDS.some((each) => each === kind)

const toProvider = (row: GitProviderRow, { caller }: Pick<HandlerContext, 'caller'>): z.input<typeof GitProvider> => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  baseUrl: row.baseUrl,
  account: row.account,
  projectId: row.projectId,
  repositories: namesIn(row),
  isMine: row.ownerId === userCallerOf(caller).userId,
  status: statusOf(row),
  createdAt: row.createdAt,
})

const Repository = z
  .object({
    name: z.string(),
    cloneUrl: z.string(),
    defaultBranch: z.string().nullable().describe('Null: the repository is empty.'),
    private: z.boolean(),
  })
  .meta({ id: 'GitRepository' })

const Entry = z
  .object({
    name: z.string(),
    type: z.enum(GIT_ENTRY_TYPES),
    bytes: z.int().nullable().describe('Null for what is no file, and where the provider does not say it.'),
  })
  .meta({ id: 'GitEntry' })

function textOf(content: Buffer): string {
  const text = content.includes(0) ? undefined : decoded(content)
  return text ?? reject('unsupported', 'The file is not a text in UTF-8', 'NOT_TEXT')
}

function decoded(content: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
  } catch {
    return undefined
  }
}

export const gitProviderRoutes = [
  route('GET /api/git/providers', {
    does: 'List the kinds of git providers, and how each can be connected.',
    operationId: 'getGitKinds',
    access: session,
    reply: z.array(GitKindView),
    async handle({ read }) {
      const hasClientId = (await settingOf(read, 'gitHubClientId')) !== ''
      return GIT_KINDS.map((kind) => {
        const { way, hasDeviceFlow = false, baseUrl, takes, needs, hasApi } = KINDS[kind]
        const ways = [way, ...(hasDeviceFlow ? ['DEVICE' as const] : []), ...(isOAuth(kind) ? ['OAUTH' as const] : [])]
        const configured = !hasDeviceFlow || hasClientId
        return { kind, ways, configured, baseUrl, takes: [...takes], needs: [...needs], hasApi }
      })
    },
  }),

  listRoute('GET /api/git-providers', gitProviderTable, arrayLists({ projectId: uuid.optional() }), {
    does: 'List your git providers. With projectId, those that are shared with the project. No token is shown.',
    access: gitProviderLister,
    item: GitProvider,
    only: (rows, { caller, query: { projectId } }) =>
      projectId === undefined
        ? rows.where('ownerId', '=', userCallerOf(caller).userId)
        : rows.where('projectId', '=', projectId),
    shown: async (rows, call) => (await gitProviderTable.open(call.vault, rows)).map((row) => toProvider(row, call)),
  }),

  route('POST /api/git-providers', {
    does: 'Connect a git provider, and optionally share some of its repositories with a project. It is asked at once.',
    access: session,
    refuses: [403, 404, 409, 429],
    status: 201,
    body: NewGitProvider,
    reply: GitProvider,
    async handle(call) {
      const id = await connectProvider(call)
      await call.waitForReadModels()
      return toProvider(await readRow(call, gitProviderTable, { id }), call)
    },
  }),

  route('DELETE /api/git-providers/:id', {
    does: 'Remove a git provider with its credentials. Applications that use it keep it from that, unless detach is set.',
    access: gitProviderRemover,
    refuses: [409],
    query: z.strictObject({ detach: flag.default(false) }),
    async handle({ run, caller, params, query, read }) {
      if (!query.detach) await refuseUsed(read, params.id)
      await run((unit) => removeProviderBy(unit, caller, params.id))
    },
  }),

  route('GET /api/git-providers/:id/repos', {
    does: 'List repositories of a git provider. Members of its project get those that were shared.',
    access: gitProviderUser,
    refuses: [409],
    query: RepositoryQuery,
    reply: z.object({
      items: z.array(Repository),
      nextPage: z.int().nullable().describe('Null: there are no more.'),
    }),
    async handle(call) {
      const { search, page } = call.query
      const { provider, isOwner } = call.ruleResult
      const forge = await forgeOfCall(call)
      const [opened] = isOwner ? [] : await gitProviderTable.open(call.vault, [provider])
      const { items, nextPage } = await call.waitFor(() =>
        opened ? sharedRepositories(forge, opened, search) : forge.repositories(search, page),
      )
      return { items: [...items], nextPage }
    },
  }),

  route('GET /api/git-providers/:id/tree', {
    does: 'List a directory of a repository. Links are listed and never followed.',
    access: gitProviderUser,
    refuses: [409],
    query: TreeQuery,
    reply: z.object({
      entries: z.array(Entry),
      isCut: z.boolean().describe('Whether the directory has more than 2,000 entries.'),
    }),
    async handle(call) {
      const { repo, ref, path } = call.query
      const reader = await readerFor(call, repo)
      const { entries, isCut } = await call.waitFor(() => reader.tree({ repo, ref, path }))
      return { entries: [...entries], isCut }
    },
  }),

  route('GET /api/git-providers/:id/file', {
    does: 'Read a text file of a repository, of at most 256 KiB. A link is not followed.',
    access: gitProviderUser,
    refuses: [409, 415],
    query: FileQuery,
    reply: z.object({ text: z.string() }),
    async handle(call) {
      const { repo, ref, path } = call.query
      const reader = await readerFor(call, repo)
      return { text: textOf(await call.waitFor(() => reader.file({ repo, ref, path }))) }
    },
  }),
]
