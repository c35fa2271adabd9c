/** One cell of the access matrix: a request to one route with one credential, and what was wrong with the answer. */
import { newSecret } from '#kernel/credentials/secret-token'
import { begun } from '../begun.ts'
import { isOpenToAgents, isOpenToInstallers, refusalTo } from './access-expected.ts'
import { isAboutOwn } from './access-objects.ts'
import type { Ids } from './access-objects.ts'
import type { Row } from './access-table.ts'
import type { AccessWorld } from './access-world.ts'
import { stableReply, UNKNOWN_ID } from './api-key-fixture.ts'
import { HEALTH } from './catalog.ts'
import { agentHeaders } from './credentials.ts'
import type { RequestCredential, Credential, CredentialProfile } from './credentials.ts'
import type { Reply } from './service.ts'

export interface Cell {
  readonly line: string
  readonly status: number
  readonly requestId: string | null
  /** Undefined: the answer was as expected. */
  readonly wrong: string | undefined
}

/** Statuses of an allowed request without a body: success, a missing body, or nothing to do. */
const LET_IN: Readonly<Record<string, readonly number[]>> = { GET: [200], DELETE: [200, 204] }
const CHANGES = [200, 201, 202, 204, 400, 409]
/** What a rule is behind tells of a server that has no agent. */
const WITHOUT_AGENT = ['SERVER_OFFLINE', 'NO_AGENT']
/** Its query is missing, or this panel has nothing to hand out. */
const LET_IN_WITH: Readonly<Record<string, readonly number[]>> = {
  'GET /api/agent/binary': [400],
  'GET /api/agent/install.sh': [503],
  'GET /api/git-providers/oauth/selfhosted-git/status': [400],
  // It leads to the pages, also when nothing came back.
  'GET /api/git-providers/oauth/selfhosted-git/callback': [303],
  // The provider is of a kind that nothing is read of.
  'GET /api/git-providers/:id/repos': [409],
  'GET /api/git-providers/:id/tree': [409],
  'GET /api/git-providers/:id/file': [409],
  'GET /api/git-providers/:id/detect': [409],
  'GET /api/git-providers/:id/scan-monorepo': [409],
  // The application is of an image.
  'GET /api/applications/:id/branches': [409],
}
/** Without it, a request is refused before the rule of the route. */
const QUERIES: Readonly<Record<string, string>> = {
  'GET /api/git-providers/:id/tree': '?repo=ada/shop',
  'GET /api/git-providers/:id/file': '?repo=ada/shop&path=README.md',
  'GET /api/git-providers/:id/detect': '?repo=ada/shop',
  'GET /api/git-providers/:id/scan-monorepo': '?repo=ada/shop',
}
const NO_IDS: Ids = {}
const NOTHING: RequestCredential = {}
const GARBAGE: RequestCredential = { as: 'garbage' }
const UNKNOWN_AGENT = agentHeaders({ serverId: UNKNOWN_ID, token: newSecret('a') })
const UNKNOWN_INSTALL: RequestCredential = { as: newSecret('i') }
const UNKNOWN_KEY: RequestCredential = { as: newSecret('k') }

export async function cellOf(world: AccessWorld, row: Row, credential: Credential): Promise<Cell> {
  const { profile } = credential
  const carried = await credential.requestCredential(world, row)
  const isLetIn = refusalTo(profile, row) === undefined
  const ids = isLetIn ? await idsFor(world, row, profile) : world.things.standing(row)
  const reply = await knock(world, row, ids, carried)
  const wrong = misjudged(row, profile, reply) ?? (await telling(world, row, profile, carried, reply))
  const requestId = reply.headers.get('x-request-id')
  return { line: row.line, status: reply.status, requestId, wrong: wrong && `${row.line}: ${wrong}` }
}

async function idsFor({ things, somebody }: AccessWorld, row: Row, standing: CredentialProfile): Promise<Ids> {
  if (standing.comes === 'by session') return things.fresh(row, await somebody(standing.person, row), standing.person)
  return standing.comes === 'by key' ? things.freshForKey(row) : things.standing(row)
}

/**
 * The body is empty, which a route refuses before its handler runs. Refresh and logout need even an
 * empty body as JSON.
 */
function knock({ panel }: AccessWorld, { line, needs }: Row, ids: Ids, carried: RequestCredential): Promise<Reply> {
  const { as, headers, search = QUERIES[line] ?? '' } = carried
  const [method = '', path = ''] = line.split(' ')
  const filled = path.replaceAll(/:(\w+)/g, (_all, name: string) => ids[name] ?? UNKNOWN_ID) + search
  if (needs.startsWith('stream')) return begun(panel.url + filled, carried)
  const body = needs === 'cookie' ? { body: {} } : {}
  return panel.call(method, filled, { as, ...(headers && { headers }), ...body })
}

function misjudged(row: Row, standing: CredentialProfile, { status, text, body, headers }: Reply): string | undefined {
  const refusal = refusalTo(standing, row)
  if (!refusal) {
    const letIn = LET_IN_WITH[row.line] ?? LET_IN[row.line.split(' ')[0]!] ?? CHANGES
    const isLetIn = letIn.includes(status) || WITHOUT_AGENT.includes(headers.get('error-code') ?? '')
    return isLetIn ? undefined : `not let in: ${status} ${text}`
  }
  const isRefused = status === refusal.statusCode && body?.message === refusal.message
  return isRefused ? undefined : `${status} ${text.slice(0, 200)} and not ${refusal.statusCode} ${refusal.message}`
}

/**
 * If an answer must reveal nothing, it equals the answer to a caller without a credential, or to a request
 * for an unknown id.
 */
async function telling(
  world: AccessWorld,
  row: Row,
  standing: CredentialProfile,
  carried: RequestCredential,
  reply: Reply,
) {
  const instead = (ids: Ids) => knock(world, row, ids, carried)
  const standingIds = world.things.standing(row)
  const usual = (other: RequestCredential) =>
    world.usual([row.line, other], () => knock(world, row, standingIds, other))
  const isNamed = row.line.includes('/:')
  const { status } = reply
  // Health answers are public, and differ from one second to the next.
  if (HEALTH.includes(row.line)) return undefined
  if (row.needs === 'public') return difference(reply, await usual(NOTHING))
  if (status === 401) return difference(reply, await usual(worthless(row, standing)))
  if (status === 404 || (status === 403 && isNamed && !/^(stream )?(in|on) /.test(row.needs)))
    return difference(reply, await instead(NO_IDS))
  if (!isAboutOwn(row) || status === 403) return undefined
  const foreign = await instead(standingIds)
  return foreign.status === 404
    ? difference(foreign, await instead(NO_IDS))
    : `${foreign.status} ${foreign.text} about somebody else’s`
}

function worthless(row: Row, standing: CredentialProfile): RequestCredential {
  if (row.needs === 'cookie' || standing.comes === 'by agent' || standing.comes === 'by install token') return GARBAGE
  if (standing.comes === 'with a stream token' && row.needs.startsWith('stream')) return GARBAGE
  if (standing.comes !== 'refused') return NOTHING
  if (standing.like === 'install' && isOpenToInstallers(row)) return UNKNOWN_INSTALL
  if (standing.like === 'agent' && isOpenToAgents(row)) return UNKNOWN_AGENT
  return standing.like === 'key' ? UNKNOWN_KEY : GARBAGE
}

function difference(one: Reply, other: Reply): string | undefined {
  const [seen, usual] = [JSON.stringify(stableReply(one)), JSON.stringify(stableReply(other))]
  return seen === usual ? undefined : `${seen} can be told from ${usual}`
}
