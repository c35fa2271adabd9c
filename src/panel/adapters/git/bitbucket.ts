/**
 * Bitbucket Cloud. Credentials are for one workspace.
 * Source: Bitbucket Cloud's REST API 2.0: repositories, refs, source.
 */
import { z } from 'zod'
import { found } from '#kernel/lib/rejection'
import { BRANCHES_MAX, ENTRIES_MAX, readFiles } from './files.ts'
import type { ForgeEntry } from './files.ts'
import { allPages, encoded, forgeCalls } from './forge-calls.ts'
import type { ForgeConnection } from './forge-calls.ts'
import type { Forge, GitPlace, GitRepository } from './git-reader.ts'
import { bitbucketHook } from './push-hooks.ts'

const PAGE = 30
const LARGE_PAGE = 100
const COMMIT = /^[0-9a-f]{40}$/

interface BitbucketConnection extends ForgeConnection {
  readonly workspace: string
  /** The mail address of an account's API token. Null: an access token of a workspace, project or repository. */
  readonly username: string | null
}

const Repository = z.object({
  full_name: z.string(),
  is_private: z.boolean(),
  mainbranch: z.object({ name: z.string() }).nullish(),
  links: z.object({ clone: z.array(z.object({ name: z.string(), href: z.string() })) }),
})
const Repositories = z.object({ values: z.array(Repository), next: z.string().optional() })
const Branch = z.object({ name: z.string(), target: z.object({ hash: z.string() }) })
const Branches = z.object({ values: z.array(Branch) })
const Entry = z.object({
  type: z.string(),
  path: z.string(),
  size: z.int().optional(),
  attributes: z.array(z.string()).optional(),
})
/** The next page is named by a text of its own and not by a number. */
const Directory = z.object({ values: z.array(Entry), next: z.string().optional() })

const toRepository = ({ full_name, is_private, mainbranch, links }: z.output<typeof Repository>): GitRepository => ({
  name: full_name,
  // It names the account, which is no part of the address.
  cloneUrl: (links.clone.find(({ name }) => name === 'https')?.href ?? '').replace(/^https:\/\/[^/@]*@/, 'https://'),
  defaultBranch: mainbranch?.name ?? null,
  private: is_private,
})

function toEntry({ type, path, size, attributes = [] }: z.output<typeof Entry>): ForgeEntry {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (type === 'commit_directory') return { name, type: 'DIRECTORY', id: path, bytes: null }
  if (attributes.includes('subrepository')) return { name, type: 'SUBMODULE', id: path, bytes: null }
  const isLink = attributes.includes('link')
  return { name, type: isLink ? 'LINK' : 'FILE', id: path, bytes: isLink ? null : (size ?? null) }
}

/** A text of its query language. */
const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`
const named = (search: string) => (search === '' ? undefined : `name ~ ${quoted(search)}`)
const pathOf = (repo: string): string => `/repositories/${encoded(repo)}`

export function bitbucket(connection: BitbucketConnection): Forge {
  const { workspace, username, token } = connection
  const basic = () => `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`
  const calls = forgeCalls(connection, username === null ? `Bearer ${token}` : basic())
  const { json, bytes } = calls
  const own = pathOf(workspace)
  const repository = async (name: string) => toRepository(await json(pathOf(name), Repository))

  /** Its paths take no branch with a slash, so a branch becomes its commit. */
  async function commitOf({ repo, ref }: Pick<GitPlace, 'repo' | 'ref'>): Promise<string> {
    if (ref !== undefined && COMMIT.test(ref)) return ref
    const name = ref ?? found((await repository(repo)).defaultBranch ?? undefined)
    return (await json(`${pathOf(repo)}/refs/branches/${encoded(name)}`, Branch)).target.hash
  }

  return {
    async account() {
      await json(own, Repositories, { pagelen: 1 })
      return workspace
    },
    async repositories(search, page) {
      const asked = { role: 'member', sort: 'slug', pagelen: PAGE, page, q: named(search) }
      const { values, next } = await json(own, Repositories, asked)
      return { items: values.map(toRepository), nextPage: next === undefined ? null : page + 1 }
    },
    repository,
    async branches(repo, search) {
      const { defaultBranch } = await repository(repo)
      const all = await allPages(
        async (page) => {
          const asked = { pagelen: LARGE_PAGE, page, q: named(search) }
          return (await json(`${pathOf(repo)}/refs/branches`, Branches, asked)).values
        },
        { size: LARGE_PAGE, most: BRANCHES_MAX },
      )
      return all.map(({ name, target }) => ({ name, commit: target.hash, isDefault: name === defaultBranch }))
    },
    putPushHook: (repo, hook) => bitbucketHook(calls, `${pathOf(repo)}/hooks`, hook),
    ...readFiles({
      async list(place) {
        const at = `${pathOf(place.repo)}/src/${await commitOf(place)}/${place.path === '' ? '' : `${encoded(place.path)}/`}`
        const all: ForgeEntry[] = []
        let page: string | undefined
        do {
          const { values, next } = await json(at, Directory, { pagelen: LARGE_PAGE, page })
          all.push(...values.map(toEntry))
          page = URL.parse(next ?? '')?.searchParams.get('page') ?? undefined
        } while (page !== undefined && all.length <= ENTRIES_MAX)
        return all
      },
      blob: async (repo, { id }, place) => bytes(`${pathOf(repo)}/src/${await commitOf(place)}/${encoded(id)}`),
    }),
  }
}
