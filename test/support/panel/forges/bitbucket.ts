/** A double of Bitbucket Cloud (REST API 2.0), in the shapes of its published reference. */
import { FORGE_TOKEN, ForgeAnswer, forgeServer, notFound, onlyTakes, pageOf } from './forge-server.ts'
import type { ForgeApi, ForgeRequest } from './forge-server.ts'
import { answerHooks, BITBUCKET_HOOKS } from './hooks.ts'
import { BRANCHES, commitOf, entriesIn, entryAt, REPOSITORIES } from './repository.ts'
import type { StoredEntry } from './repository.ts'

export const MAIL_ADDRESS = 'ada@forge.test'

const repository = (name: string, url: string) => ({
  type: 'repository',
  full_name: name,
  name: name.split('/')[1],
  is_private: name === 'ada/shop',
  mainbranch: name === 'ada/notes' ? null : { type: 'branch', name: 'main' },
  links: {
    clone: [
      { name: 'ssh', href: `git@127.0.0.1:${name}.git` },
      { name: 'https', href: `https://ada@bitbucket.test/${name}.git` },
    ],
    html: { href: `${url}/${name}` },
  },
})

const branch = (name: string) => ({ type: 'branch', name, target: { type: 'commit', hash: commitOf(name) } })

function entry({ path, mode, content }: StoredEntry) {
  if (mode === '040000') return { type: 'commit_directory', path }
  const attributes = { '120000': ['link'], '160000': ['subrepository'], '100644': [] }[mode]
  return { type: 'commit_file', path, size: content.length, attributes }
}

const textIn = (query: URLSearchParams): string => /^name ~ "(.*)"$/.exec(query.get('q') ?? '')?.[1] ?? ''

function paged(all: readonly unknown[], { query, url }: ForgeRequest) {
  const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('pagelen') ?? 10)]
  const isMore = page * size < all.length
  return {
    values: pageOf(all, query, 'pagelen', 100),
    pagelen: size,
    ...(isMore && { next: `${url}/2.0/next?page=${page + 1}` }),
  }
}

function source(request: ForgeRequest, rest: readonly string[]): unknown {
  const [commit, ...path] = rest
  if (!BRANCHES.some((name) => commitOf(name) === commit)) return notFound('Commit not found')
  if (path.at(-1) !== '') return entryAt(path.join('/'))?.content ?? notFound('No such file or directory')
  onlyTakes(request.query, 'pagelen', 'page')
  const entries = entriesIn(path.slice(0, -1).join('/'))
  return entries ? paged(entries.map(entry), request) : notFound('No such file or directory')
}

const ACCEPTED = [`Bearer ${FORGE_TOKEN}`, `Basic ${Buffer.from(`${MAIL_ADDRESS}:${FORGE_TOKEN}`).toString('base64')}`]

const BITBUCKET: ForgeApi = (request) => {
  const { segments, query, headers, url } = request
  if (!ACCEPTED.includes(headers.authorization!)) return new ForgeAnswer(401, { type: 'error' })
  const [first, workspace, slug, ...rest] = segments
  if (first !== 'repositories' || workspace !== 'ada') return notFound('No workspace with that name')
  if (slug === undefined) {
    onlyTakes(query, 'role', 'sort', 'pagelen', 'page', 'q')
    const named = REPOSITORIES.filter((name) => name.split('/')[1]!.includes(textIn(query)))
    return paged(
      named.map((name) => repository(name, url)),
      request,
    )
  }
  const name = REPOSITORIES.find((each) => each === `${workspace}/${slug}`)
  if (!name) return notFound('Repository not found')
  if (rest.length === 0) return repository(name, url)
  if (rest[0] === 'hooks') return answerHooks(BITBUCKET_HOOKS, request, rest[1])
  if (rest[0] === 'src') return source(request, rest.slice(1))
  if (rest.slice(0, 2).join('/') !== 'refs/branches') return notFound('Not found')
  const asked = rest.slice(2).join('/')
  if (asked !== '') return BRANCHES.includes(asked) ? branch(asked) : notFound('No such branch')
  onlyTakes(query, 'pagelen', 'page', 'q')
  return paged(BRANCHES.filter((each) => each.includes(textIn(query))).map(branch), request)
}

export const bitbucketDouble = () => forgeServer('/2.0', BITBUCKET)
