/**
 * GitHub, and GitHub Enterprise Server.
 * Source: GitHub's REST API, version 2022-11-28: users, repositories, branches, commits, git trees and blobs.
 */
import { z } from 'zod'
import { readFiles } from './files.ts'
import { allPages, forgeCalls, isNamed } from './forge-calls.ts'
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
import { gitHubHook } from './push-hooks.ts'

const PAGE = 30
const LARGE_PAGE = 100
/** How many repositories a search looks at. */
const SEARCHED_MAX = 1_000

const Tree = z.object({ tree: z.array(TreeEntry) })

export function gitHub(connection: ForgeConnection): Forge {
  const calls = forgeCalls(connection, `Bearer ${connection.token}`)
  const own = async (page: number, size: number) =>
    calls.json('/user/repos', z.array(Repository), { page, per_page: size, sort: 'full_name' })

  return {
    account: async () => (await calls.json('/user', Account)).login,
    async repositories(search, page) {
      if (search === '') {
        const some = await own(page, PAGE)
        return { items: some.map(toRepository), nextPage: some.length < PAGE ? null : page + 1 }
      }
      // Its search knows no "mine": it would also find the repositories of strangers.
      const all = await allPages((nth) => own(nth, LARGE_PAGE), { size: LARGE_PAGE, most: SEARCHED_MAX })
      const named = all.filter(({ full_name }) => isNamed(full_name, search))
      const items = named.slice((page - 1) * PAGE, page * PAGE).map(toRepository)
      return { items, nextPage: page * PAGE < named.length ? page + 1 : null }
    },
    repository: (name) => readRepository(calls, name),
    branches: (repo, search) =>
      readBranches({ calls, pageSize: LARGE_PAGE, sizeName: 'per_page', commitId: 'sha' }, repo, search),
    putPushHook: (repo, hook) => gitHubHook(calls, repo, hook),
    ...readFiles({
      list: (place) =>
        listDirectory(
          calls,
          place,
          async (repo, treeId) => (await calls.json(`${repo}/git/trees/${treeId}`, Tree)).tree.map(toEntry),
          { per_page: 1 },
        ),
      blob: (repo, { id }) => readBlob(calls, repo, id),
    }),
  }
}
