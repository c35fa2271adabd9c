/**
 * GitLab, hosted or not.
 * Source: GitLab's REST API v4: users, projects, branches, repositories.
 */
import { z } from 'zod'
import { BRANCHES_MAX, ENTRIES_MAX, readFiles, typeOfMode } from './files.ts'
import { allPages, forgeCalls } from './forge-calls.ts'
import type { ForgeConnection } from './forge-calls.ts'
import type { Forge, GitRepository } from './git-reader.ts'
import { gitLabHook } from './push-hooks.ts'

const PAGE = 30
const LARGE_PAGE = 100

const Project = z.object({
  path_with_namespace: z.string(),
  http_url_to_repo: z.string(),
  default_branch: z.string().nullish(),
  visibility: z.string(),
})
const Branch = z.object({ name: z.string(), default: z.boolean(), commit: z.object({ id: z.string() }) })
const Entry = z.object({ id: z.string(), name: z.string(), mode: z.string() })
const Blob = z.object({ content: z.string(), encoding: z.literal('base64') })

const toRepository = (project: z.output<typeof Project>): GitRepository => ({
  name: project.path_with_namespace,
  cloneUrl: project.http_url_to_repo,
  defaultBranch: project.default_branch ?? null,
  private: project.visibility !== 'public',
})

const pathOf = (repo: string): string => `/projects/${encodeURIComponent(repo)}`

export function gitLab(connection: ForgeConnection): Forge {
  const calls = forgeCalls(connection, `Bearer ${connection.token}`)
  const { json } = calls
  return {
    account: async () => (await json('/user', z.object({ username: z.string() }))).username,
    async repositories(search, page) {
      const asked = { membership: true, order_by: 'path', sort: 'asc', per_page: PAGE, page }
      const some = await json('/projects', z.array(Project), { ...asked, search: search === '' ? undefined : search })
      return { items: some.map(toRepository), nextPage: some.length < PAGE ? null : page + 1 }
    },
    repository: async (name) => toRepository(await json(pathOf(name), Project)),
    async branches(repo, search) {
      const asked = { per_page: LARGE_PAGE, search: search === '' ? undefined : search }
      const all = await allPages(
        (page) => json(`${pathOf(repo)}/repository/branches`, z.array(Branch), { ...asked, page }),
        { size: LARGE_PAGE, most: BRANCHES_MAX },
      )
      return all.map(({ name, commit, default: isDefault }) => ({ name, commit: commit.id, isDefault }))
    },
    putPushHook: (repo, hook) => gitLabHook(calls, `${pathOf(repo)}/hooks`, hook),
    ...readFiles({
      async list({ repo, ref, path }) {
        const asked = { ref, path: path === '' ? undefined : path, per_page: LARGE_PAGE }
        const all = await allPages(
          (page) => json(`${pathOf(repo)}/repository/tree`, z.array(Entry), { ...asked, page }),
          { size: LARGE_PAGE, most: ENTRIES_MAX + 1 },
        )
        return all.map(({ id, name, mode }) => ({ id, name, type: typeOfMode(mode), bytes: null }))
      },
      async blob(repo, { id }) {
        const { content } = await json(`${pathOf(repo)}/repository/blobs/${id}`, Blob)
        return Buffer.from(content, 'base64')
      },
    }),
  }
}
