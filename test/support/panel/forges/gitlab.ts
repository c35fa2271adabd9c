/** A double of GitLab (REST API v4), in the shapes of its published reference. */
import { FORGE_TOKEN, ForgeAnswer, forgeServer, notFound, onlyTakes, pageOf } from './forge-server.ts'
import type { ForgeApi, ForgeWeb } from './forge-server.ts'
import { answerHooks, GITLAB_HOOKS } from './hooks.ts'
import { blobById, blobIdOf, BRANCHES, commitOf, entriesIn, isKnownRef, nameOf, REPOSITORIES } from './repository.ts'

const project = (name: string, url: string) => ({
  id: REPOSITORIES.indexOf(name) + 1,
  name: name.split('/')[1],
  path_with_namespace: name,
  default_branch: name === 'ada/notes' ? null : 'main',
  visibility: name === 'ada/shop' ? 'private' : 'public',
  http_url_to_repo: `${url}/${name}.git`,
  ssh_url_to_repo: `ssh://git@127.0.0.1/${name}.git`,
  web_url: `${url}/${name}`,
})

const TYPES = { '100644': 'blob', '120000': 'blob', '160000': 'commit', '040000': 'tree' } as const

const GITLAB: ForgeApi = (request) => {
  const { segments, query, headers, url } = request
  if (headers.authorization !== `Bearer ${FORGE_TOKEN}`) return new ForgeAnswer(401, { message: '401 Unauthorized' })
  const [first, name, ...rest] = segments
  if (first === 'user') return { id: 7, username: 'ada', name: 'Ada', state: 'active' }
  if (first !== 'projects') return notFound('404 Not Found')
  if (name === undefined) {
    onlyTakes(query, 'membership', 'order_by', 'sort', 'per_page', 'page', 'search')
    if (query.get('membership') !== 'true') throw new Error('It would list the public projects of strangers')
    const named = REPOSITORIES.filter((each) => each.split('/')[1]!.includes(query.get('search') ?? ''))
    return pageOf(named, query, 'per_page', 100).map((each) => project(each, url))
  }
  if (!REPOSITORIES.includes(name)) return notFound('404 Project Not Found')
  const [kind, id] = [rest.slice(0, 2).join('/'), rest[2]]
  if (kind === '') return project(name, url)
  if (rest[0] === 'hooks') return answerHooks(GITLAB_HOOKS, request, rest[1])
  if (kind === 'repository/branches') {
    onlyTakes(query, 'search', 'per_page', 'page')
    const named = BRANCHES.filter((each) => each.includes(query.get('search') ?? ''))
    return pageOf(named, query, 'per_page', 100).map((each) => ({
      name: each,
      default: each === 'main',
      protected: false,
      commit: { id: commitOf(each), short_id: commitOf(each).slice(0, 8) },
    }))
  }
  if (kind === 'repository/tree') {
    onlyTakes(query, 'path', 'ref', 'per_page', 'page')
    const entries = isKnownRef(query.get('ref') ?? 'main') ? entriesIn(query.get('path') ?? '') : undefined
    if (!entries) return notFound('404 Tree Not Found')
    return pageOf(entries, query, 'per_page', 100).map((entry) => ({
      id: blobIdOf(entry),
      name: nameOf(entry),
      type: TYPES[entry.mode],
      path: entry.path,
      mode: entry.mode,
    }))
  }
  const entry = kind === 'repository/blobs' ? blobById(id!) : undefined
  if (!entry) return notFound('404 Blob Not Found')
  const { content } = entry
  return { size: content.length, encoding: 'base64', content: content.toString('base64'), sha: id }
}

export const gitLabDouble = (web?: ForgeWeb) => forgeServer('/api/v4', GITLAB, web)
