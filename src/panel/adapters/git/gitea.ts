/**
 * Gitea, and Forgejo, which kept its API.
 * Source: Gitea's API 1.23: user, repository search, branches, commits, git trees and blobs.
 */
import { z } from 'zod'
import { ENTRIES_MAX, readFiles } from './files.ts'
import { forgeCalls } from './forge-calls.ts'
import type { ForgeConnection } from './forge-calls.ts'
import type { Forge } from './git-reader.ts'
import {
  Account,
  listDirectory,
  readBlob,
  readBranches,
  readRepository,
  Repository,
  toEntry,
  toRepository,
  TreeEntry,
} from './github-like.ts'
import { giteaHook } from './push-hooks.ts'

const PAGE = 30
/** The default of its setting `MAX_RESPONSE_ITEMS`. */
const LARGE_PAGE = 50
const TREE_PAGE = 500

const Own = Account.extend({ id: z.int() })
const Found = z.object({ data: z.array(Repository) })
const Tree = z.object({ tree: z.array(TreeEntry).nullish(), truncated: z.boolean() })

export function gitea(connection: ForgeConnection): Forge {
  const calls = forgeCalls(connection, `token ${connection.token}`)

  /** Its setting may give less than the page that is asked for, so the answer says whether there is more. */
  async function entriesOf(repo: string, treeId: string) {
    const all: z.output<typeof TreeEntry>[] = []
    for (let page = 1; all.length <= ENTRIES_MAX; page += 1) {
      const { tree, truncated } = await calls.json(`${repo}/git/trees/${treeId}`, Tree, { page, per_page: TREE_PAGE })
      all.push(...(tree ?? []))
      if (!truncated || !tree?.length) break
    }
    return all.map(toEntry)
  }

  return {
    account: async () => (await calls.json('/user', Account)).login,
    async repositories(search, page) {
      const { id } = await calls.json('/user', Own)
      const asked = { q: search, uid: id, page, limit: PAGE }
      const { data } = await calls.json('/repos/search', Found, asked)
      return { items: data.map(toRepository), nextPage: data.length < PAGE ? null : page + 1 }
    },
    repository: (name) => readRepository(calls, name),
    branches: (repo, search) =>
      readBranches({ calls, pageSize: LARGE_PAGE, sizeName: 'limit', commitId: 'id' }, repo, search),
    putPushHook: (repo, hook) => giteaHook(calls, repo, hook),
    ...readFiles({
      list: (place) =>
        listDirectory(calls, place, entriesOf, { limit: 1, stat: false, verification: false, files: false }),
      blob: (repo, { id }) => readBlob(calls, repo, id),
    }),
  }
}
