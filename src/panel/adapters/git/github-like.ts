/** What the APIs of GitHub and Gitea have in common. */
import { z } from 'zod'
import { found } from '#kernel/lib/rejection'
import { BRANCHES_MAX, typeOfMode, walk } from './files.ts'
import type { ForgeEntry } from './files.ts'
import { allPages, encoded, isNamed } from './forge-calls.ts'
import type { ForgeCalls } from './forge-calls.ts'
import type { GitBranch, GitPlace, GitRepository } from './git-reader.ts'

export const Account = z.object({ login: z.string() })

export const Repository = z.object({
  full_name: z.string(),
  clone_url: z.string(),
  default_branch: z.string().nullish(),
  private: z.boolean(),
})

export const toRepository = (each: z.output<typeof Repository>): GitRepository => ({
  name: each.full_name,
  cloneUrl: each.clone_url,
  defaultBranch: each.default_branch || null,
  private: each.private,
})

const Commits = z.array(z.object({ commit: z.object({ tree: z.object({ sha: z.string() }) }) }))

export const TreeEntry = z.object({
  path: z.string(),
  mode: z.string(),
  sha: z.string(),
  size: z.int().nullish(),
})

export const toEntry = ({ path, mode, sha, size }: z.output<typeof TreeEntry>): ForgeEntry => {
  const type = typeOfMode(mode)
  return { name: path, type, id: sha, bytes: type === 'FILE' ? (size ?? null) : null }
}

const Blob = z.object({ content: z.string(), encoding: z.literal('base64') })

interface Api {
  readonly calls: ForgeCalls
  /** The largest page that the provider gives. */
  readonly pageSize: number
  /** The parameter that names the size of a page. */
  readonly sizeName: 'per_page' | 'limit'
  /** The field of a branch's commit with its id. */
  readonly commitId: 'sha' | 'id'
}

const pathOf = (repo: string): string => `/repos/${encoded(repo)}`

export const readRepository = async ({ json }: ForgeCalls, repo: string): Promise<GitRepository> =>
  toRepository(await json(pathOf(repo), Repository))

/** Neither API finds branches by a part of their name. */
export async function readBranches({ calls, pageSize, sizeName, commitId }: Api, repo: string, search: string) {
  const { defaultBranch } = await readRepository(calls, repo)
  const Branches = z.array(z.object({ name: z.string(), commit: z.object({ [commitId]: z.string() }) }))
  const all = await allPages(
    (page) => calls.json(`${pathOf(repo)}/branches`, Branches, { page, [sizeName]: pageSize }),
    { size: pageSize, most: BRANCHES_MAX },
  )
  return all
    .filter(({ name }) => isNamed(name, search))
    .map(({ name, commit }): GitBranch => ({ name, commit: commit[commitId]!, isDefault: name === defaultBranch }))
}

/** @param entriesOf of a tree, by the path of its repository and its id */
export async function listDirectory(
  { json }: ForgeCalls,
  { repo, ref, path }: GitPlace,
  entriesOf: (repoPath: string, treeId: string) => Promise<readonly ForgeEntry[]>,
  more: Readonly<Record<string, string | number | boolean>>,
): Promise<readonly ForgeEntry[]> {
  const [newest] = await json(`${pathOf(repo)}/commits`, Commits, { sha: ref, ...more })
  return walk((treeId) => entriesOf(pathOf(repo), treeId), found(newest).commit.tree.sha, path)
}

export async function readBlob({ json }: ForgeCalls, repo: string, id: string): Promise<Buffer> {
  const { content } = await json(`${pathOf(repo)}/git/blobs/${id}`, Blob)
  return Buffer.from(content, 'base64')
}
