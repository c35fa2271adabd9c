/**
 * The expected answer of each route to each credential. It is derived from the catalog and the contract's
 * table, and from no tested code.
 */
import { PLATFORM_PERMISSIONS } from '#panel/access/permissions'
import type { PlatformPermission } from '#panel/access/permissions'
import { isPermission } from './access-table.ts'
import type { Needs, Row } from './access-table.ts'
import { byLine } from './catalog.ts'
import type { Person, KeyScopes, CredentialProfile } from './credentials.ts'

export interface ExpectedRefusal {
  readonly statusCode: 401 | 403 | 404
  readonly message: string
}

const SIGN_IN: ExpectedRefusal = { statusCode: 401, message: 'Authentication required' }
const NO_SESSION: ExpectedRefusal = { statusCode: 401, message: 'Invalid or expired session' }
const NO_AGENT: ExpectedRefusal = { statusCode: 401, message: 'Invalid agent token' }
const NO_INSTALL: ExpectedRefusal = { statusCode: 401, message: 'Invalid or expired install token' }
const NO_SIGNATURE: ExpectedRefusal = { statusCode: 401, message: 'Invalid signature' }
const NO_KEY: ExpectedRefusal = { statusCode: 401, message: 'Invalid or expired API key' }
const UNSEEN: ExpectedRefusal = { statusCode: 404, message: 'Not found' }
const forbidden = (message: string): ExpectedRefusal => ({ statusCode: 403, message })

const scopeOf = ({ line }: Row): string | null => byLine.get(line)!.scope

/** The scopes of a key for a route. If the route needs none, all scopes of the built routes. */
export function scopesFor(built: readonly Row[], row?: Row, which: KeyScopes = 'all'): readonly string[] {
  const all = [...new Set(built.flatMap((each) => scopeOf(each) ?? []))]
  const right = row && scopeOf(row)
  if (which === 'all' || !right) return all
  return all.filter((scope) => (scope === right) === (which === 'the right one'))
}

const isInProject = (needs: Needs): boolean => /^(stream )?in project/.test(needs)

/** The permissions that open a route to an ADMIN. For a route in a project, the permission to manage all projects. */
function needed({ needs }: Row): readonly PlatformPermission[] {
  if (isPermission(needs)) return [needs]
  if (needs === 'on task: view') return ['servers:view']
  if (needs.startsWith('on server')) return [needs === 'on server: MANAGE' ? 'servers:manage' : 'servers:view']
  if (needs === 'on registry') return ['registries:manage']
  return isInProject(needs) ? ['projects:manage'] : PLATFORM_PERMISSIONS
}

/** The permissions of an ADMIN before this row is requested. */
export function grantsOf({ granted }: Person, row: Row): readonly PlatformPermission[] {
  if (granted === 'what is needed') return needed(row)
  return granted === 'all else' ? PLATFORM_PERMISSIONS.filter((each) => !needed(row).includes(each)) : []
}

const holds = (person: Person, row: Row, permission: PlatformPermission): boolean =>
  person.role === 'SUPERADMIN' || grantsOf(person, row).includes(permission)

/** The expected refusal; undefined if the caller is allowed. */
export function refusalTo(standing: CredentialProfile, row: Row): ExpectedRefusal | undefined {
  if (row.needs === 'public') return undefined
  if (row.needs === 'signature') return NO_SIGNATURE
  if (row.needs === 'cookie') return staysIn(standing, row) ? undefined : NO_SESSION
  switch (standing.comes) {
    case 'with nothing':
    case 'with a refresh cookie':
      return SIGN_IN
    case 'with a stream token':
      if (row.needs === 'stream') return undefined
      // The token is for the path of another stream.
      return row.needs.startsWith('stream') ? NO_SESSION : SIGN_IN
    case 'refused':
      return unknownTo(row, standing.like)
    case 'by install token':
      return isOpenToInstallers(row) ? undefined : NO_SESSION
    case 'by agent':
      if (!isOpenToAgents(row)) return NO_SESSION
      return row.needs.startsWith('on task') && standing.of === 'another server' ? UNSEEN : undefined
    case 'by session':
      return refusalToPerson(standing.person, row)
    default:
      return refusalToKey(standing, row)
  }
}

/** Other routes read the token of an agent as that of a session. */
export const isOpenToAgents = ({ needs }: Row): boolean => needs.startsWith('agent') || needs.startsWith('on task')
export const isOpenToInstallers = ({ needs }: Row): boolean => needs.endsWith('install')

function unknownTo(row: Row, like: 'session' | 'key' | 'agent' | 'install'): ExpectedRefusal {
  if (like === 'key') return NO_KEY
  if (like === 'install' && isOpenToInstallers(row)) return NO_INSTALL
  return like === 'agent' && isOpenToAgents(row) ? NO_AGENT : NO_SESSION
}

/** Logout also accepts a session, and the catalog lists it for that. */
const staysIn = ({ comes }: CredentialProfile, { line }: Row): boolean =>
  comes === 'with a refresh cookie' || (comes === 'by session' && byLine.get(line)!.auth === 'session')

function refusalToKey(key: Extract<CredentialProfile, { comes: 'by key' }>, row: Row): ExpectedRefusal | undefined {
  if (byLine.get(row.line)!.auth !== 'session-or-key')
    return forbidden('This endpoint is not available to API keys. Use a session.')
  if (key.scopes === 'all others') return forbidden(`Missing scope ${scopeOf(row)}`)
  if (row.needs.startsWith('in project') && key.only === 'elsewhere') return UNSEEN
  if (row.line === 'POST /api/projects' && key.only !== undefined)
    return forbidden('This API key is restricted to some projects and cannot create new ones')
  return key.person ? refusalToPerson(key.person, row) : refusalInProject('platform ADMIN', row.needs)
}

function refusalToPerson(person: Person, row: Row): ExpectedRefusal | undefined {
  const { needs } = row
  if (['agent', 'on task: bytes', 'install', 'agent or install'].includes(needs))
    return forbidden('This endpoint is not available to sessions.')
  if (needs === 'any admin')
    return person.role === 'USER' ? forbidden('Requires the role ADMIN or SUPERADMIN') : undefined
  if (needs === 'superadmin')
    return person.role === 'SUPERADMIN' ? undefined : forbidden('Requires the role SUPERADMIN')
  if (isPermission(needs)) return holds(person, row, needs) ? undefined : forbidden(`Missing permission ${needs}`)
  if (needs.startsWith('in team')) return refusalInTeam(person, needs)
  if (needs === 'on task: view') return seesTask(person, row) ? undefined : UNSEEN
  if (needs.startsWith('on server')) return refusalOnServer(person, row)
  if (needs === 'on registry') return refusalOnRegistry(person, row)
  return refusalInProject(person.inProject ?? byPlatform(person, row), needs)
}

const seesTask = (person: Person, row: Row): boolean =>
  person.onServer === 'MANAGE' || holds(person, row, 'servers:view') || holds(person, row, 'servers:manage')

function refusalOnServer(person: Person, row: Row): ExpectedRefusal | undefined {
  const manages = person.onServer === 'MANAGE' || holds(person, row, 'servers:manage')
  const views = manages || holds(person, row, 'servers:view')
  if (!views && person.onServer === undefined) return UNSEEN
  if (row.needs === 'on server: USE') return undefined
  const [isAllowed, permission] =
    row.needs === 'on server: view' ? [views, 'servers:view'] : [manages, 'servers:manage']
  return isAllowed ? undefined : forbidden(`Missing permission ${permission}, or MANAGE of this server`)
}

/** What does not see the registry is answered as for an unknown one. */
function refusalOnRegistry(person: Person, row: Row): ExpectedRefusal | undefined {
  if (holds(person, row, 'registries:manage')) return undefined
  return holds(person, row, 'registries:view') ? forbidden('Missing permission registries:manage') : UNSEEN
}

function refusalInTeam({ inTeam }: Person, needs: Needs): ExpectedRefusal | undefined {
  if (inTeam === undefined) return UNSEEN
  return needs === 'in team: owner' && inTeam !== 'owner'
    ? forbidden('Only the owner of the team may do this')
    : undefined
}

type Place = 'VIEWER' | 'DEVELOPER' | 'ADMIN' | 'OWNER' | 'platform VIEWER' | 'platform ADMIN'

function byPlatform(person: Person, row: Row): Place | undefined {
  if (holds(person, row, 'projects:manage')) return 'platform ADMIN'
  return holds(person, row, 'projects:view') ? 'platform VIEWER' : undefined
}

const MANAGING: readonly Place[] = ['ADMIN', 'OWNER', 'platform ADMIN']

/** From the contract's table. A member that is not listed sees the project and is refused. */
const ALLOWED: Readonly<Record<string, readonly Place[]>> = {
  'in project: member': ['VIEWER', 'DEVELOPER', 'platform VIEWER', ...MANAGING],
  'in project: settings:manage': MANAGING,
  'in project: members:manage': MANAGING,
  /** The member that paths name is the VIEWER. */
  'in project: members:manage or self': ['VIEWER', ...MANAGING],
  'in project: environments:manage': MANAGING,
  'in project: apps:view': ['VIEWER', 'DEVELOPER', 'platform VIEWER', ...MANAGING],
  'in project: deployments:view': ['VIEWER', 'DEVELOPER', 'platform VIEWER', ...MANAGING],
  'in project: apps:restart': ['DEVELOPER', ...MANAGING],
  'in project: apps:create': ['DEVELOPER', ...MANAGING],
  'in project: apps:deploy': ['DEVELOPER', ...MANAGING],
  'in project: apps:delete': ['DEVELOPER', ...MANAGING],
  'in project: apps:env': ['DEVELOPER', ...MANAGING],
  'in project: apps:logs': ['DEVELOPER', ...MANAGING],
  'stream in project: apps:logs': ['DEVELOPER', ...MANAGING],
  'in project: apps:deploy, apps:env': ['DEVELOPER', ...MANAGING],
  'in project: ADMIN+': MANAGING,
  'in project: OWNER': ['OWNER'],
  'in project: own membership, not OWNER': ['VIEWER', 'DEVELOPER', 'ADMIN'],
}

function refusalInProject(place: Place | undefined, needs: Needs): ExpectedRefusal | undefined {
  if (!isInProject(needs)) return undefined
  if (place === undefined) return UNSEEN
  const allowed = ALLOWED[needs]
  if (!allowed) throw new Error(`It is not said who may what needs ${needs}`)
  return allowed.includes(place) ? undefined : forbidden(reasonFor(needs, place))
}

function reasonFor(needs: Needs, place: Place): string {
  if (needs === 'in project: ADMIN+') return 'Requires the project role ADMIN or OWNER'
  if (needs === 'in project: OWNER') return 'Requires the project role OWNER'
  if (needs === 'in project: own membership, not OWNER')
    return place === 'OWNER'
      ? 'You are the OWNER: transfer the project before you leave it'
      : 'You have no direct membership in this project; your access comes from a team or from platform permissions'
  return `Missing permission ${/[a-z]+:[a-z]+/.exec(needs.slice(needs.indexOf(': ') + 2))![0]} in this project`
}
