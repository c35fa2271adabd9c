/** Doubles of GitHub (REST API 2022-11-28) and Gitea (API 1.23), in the shapes of their published references. */
import { FORGE_TOKEN, ForgeAnswer, forgeServer, notFound, onlyTakes, pageOf } from './forge-server.ts'
import type { ForgeApi, ForgeRequest, ForgeWeb } from './forge-server.ts'
import { answerHooks, GITEA_HOOKS, GITHUB_HOOKS } from './hooks.ts'
import {
  blobById,
  blobIdOf,
  BRANCHES,
  commitOf,
  directoryById,
  entriesIn,
  isKnownRef,
  nameOf,
  REPOSITORIES,
  treeIdOf,
} from './repository.ts'

const repository = (name: string, url: string) => ({
  id: REPOSITORIES.indexOf(name) + 1,
  name: name.split('/')[1],
  full_name: name,
  private: name === 'ada/shop',
  owner: { login: 'ada', id: 7 },
  fork: false,
  html_url: `${url}/${name}`,
  clone_url: `${url}/${name}.git`,
  ssh_url: `ssh://git@127.0.0.1/${name}.git`,
  default_branch: name === 'ada/notes' ? '' : 'main',
})

const blob = (id: string) => {
  const entry = blobById(id)
  if (!entry) return notFound('Not Found')
  const { content } = entry
  return { sha: id, size: content.length, encoding: 'base64', content: content.toString('base64') }
}

const TYPES = { '100644': 'blob', '120000': 'blob', '160000': 'commit', '040000': 'tree' } as const

const tree = (directory: string) =>
  entriesIn(directory)!.map((entry) => ({
    path: nameOf(entry),
    mode: entry.mode,
    type: TYPES[entry.mode],
    sha: blobIdOf(entry),
    ...(TYPES[entry.mode] === 'blob' && { size: entry.content.length }),
  }))

const commits = ({ query }: ForgeRequest) =>
  isKnownRef(query.get('sha') ?? 'main')
    ? [{ sha: commitOf('main'), commit: { message: 'first', tree: { sha: treeIdOf('') } } }]
    : notFound('no such ref')

/** What both have below `/repos/{owner}/{repo}`. */
function inRepository(
  request: ForgeRequest,
  hooks: typeof GITHUB_HOOKS,
  own: Readonly<Record<string, (id: string) => unknown>>,
): unknown {
  const [, owner, name, ...rest] = request.segments
  const known = REPOSITORIES.find((each) => each === `${owner}/${name}`)
  if (!known) return notFound('Not Found')
  const id = rest.at(-1)!
  const part = rest.length === 3 ? rest.slice(0, 2).join('/') : rest.join('/')
  if (part === '') return repository(known, request.url)
  if (part === 'commits') return commits(request)
  if (part === 'git/blobs') return blob(id)
  if (rest[0] === 'hooks') return answerHooks(hooks, request, rest[1])
  return own[part]?.(id) ?? notFound('Not Found')
}

const isPart = ({ segments: [first] }: ForgeRequest) => first === 'repos'

const gitHub =
  (authorization: string | undefined): ForgeApi =>
  (request) => {
    const { segments, query, headers, url } = request
    if (!headers['user-agent']) return new ForgeAnswer(403, { message: 'Request forbidden by administrative rules.' })
    if (headers.authorization !== authorization) return new ForgeAnswer(401, { message: 'Bad credentials' })
    if (segments.join('/') === 'user') return { login: 'ada', id: 7, type: 'User' }
    if (segments.join('/') === 'user/repos') {
      onlyTakes(query, 'page', 'per_page', 'sort')
      return pageOf(REPOSITORIES, query, 'per_page', 100).map((name) => repository(name, url))
    }
    if (!isPart(request)) return notFound('Not Found')
    return inRepository(request, GITHUB_HOOKS, {
      branches: () => {
        onlyTakes(query, 'page', 'per_page')
        const some = pageOf(BRANCHES, query, 'per_page', 100)
        return some.map((name) => ({ name, commit: { sha: commitOf(name), url }, protected: false }))
      },
      'git/trees': (id) => {
        const directory = directoryById(id)
        return directory === undefined ? notFound('Not Found') : { sha: id, tree: tree(directory), truncated: false }
      },
    })
  }

/** Its pages of trees are smaller than what is asked for, as a setting of it may say. */
const TREE_PAGE = 400

const GITEA: ForgeApi = (request) => {
  const { segments, query, headers, url } = request
  if (headers.authorization !== `token ${FORGE_TOKEN}`) return new ForgeAnswer(401, { message: 'invalid token' })
  if (segments.join('/') === 'user') return { id: 7, login: 'ada', full_name: '', is_admin: false }
  if (segments.join('/') === 'repos/search') {
    onlyTakes(query, 'q', 'uid', 'page', 'limit')
    if (query.get('uid') !== '7') throw new Error('A search without uid finds the repositories of strangers')
    const named = REPOSITORIES.filter((name) => name.split('/')[1]!.includes(query.get('q') ?? ''))
    return { ok: true, data: pageOf(named, query, 'limit', 50).map((name) => repository(name, url)) }
  }
  if (!isPart(request)) return notFound('Not Found')
  return inRepository(request, GITEA_HOOKS, {
    branches: () => {
      onlyTakes(query, 'page', 'limit')
      const some = pageOf(BRANCHES, query, 'limit', 50)
      return some.map((name) => ({ name, commit: { id: commitOf(name), message: 'first' }, protected: false }))
    },
    'git/trees': (id) => {
      onlyTakes(query, 'page', 'per_page', 'recursive')
      const directory = directoryById(id)
      if (directory === undefined) return notFound('Not Found')
      const all = tree(directory)
      const some = pageOf(all, query, 'per_page', TREE_PAGE)
      const page = Number(query.get('page') ?? 1)
      return { sha: id, url, tree: some, truncated: page * TREE_PAGE < all.length, page, total_count: all.length }
    },
  })
}

export const GITHUB_BASE = '/api/v3'
/** @param isPublic it is read without a credential, and not with one */
export const gitHubDouble = ({ isPublic = false } = {}) =>
  forgeServer(GITHUB_BASE, gitHub(isPublic ? undefined : `Bearer ${FORGE_TOKEN}`))
export const giteaDouble = (web?: ForgeWeb) => forgeServer('/api/v1', GITEA, web)
