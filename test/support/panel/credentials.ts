/**
 * Every kind of credential that a request to the panel may have. The access matrix calls every route with
 * each of them.
 */
import { SignJWT, generateKeyPair } from 'jose'
import { newSecret } from '#kernel/credentials/secret-token'
import type { PlatformRole, BuiltInProjectRole } from '#panel/access/permissions'
import { RUN_HEADER, SERVER_HEADER } from '../../../src/tasks/protocol.ts'
import type { AgentOfServer } from './access-objects.ts'
import { isOpen } from './access-table.ts'
import type { Row } from './access-table.ts'
import type { AccessWorld } from './access-world.ts'
import { UNKNOWN_ID } from './api-key-fixture.ts'
import { withCookie } from './people.ts'
import { RUN } from './server-fixture.ts'

/** The permissions that an ADMIN was granted: none, the one that opens the route, or all others. */
export type GrantedPermissions = 'nothing' | 'what is needed' | 'all else'

export interface Person {
  readonly name: string
  readonly role: PlatformRole
  readonly granted?: GrantedPermissions
  /** The role in the project that paths name. */
  readonly inProject?: BuiltInProjectRole
  readonly inTeam?: 'member' | 'owner'
  /** What a rule of the server that paths name gives. */
  readonly onServer?: 'USE' | 'MANAGE'
  /** Owns a project, and is not a member of the project that paths name. */
  readonly isElsewhere?: true
}

export type KeyScopes = 'the right one' | 'all' | 'all others'

/** The properties of a credential on which the expectation may depend. */
export type CredentialProfile =
  | { readonly comes: 'with nothing' | 'with a refresh cookie' | 'with a stream token' }
  | { readonly comes: 'refused'; readonly like: 'session' | 'key' | 'agent' | 'install' }
  | { readonly comes: 'by install token' }
  | { readonly comes: 'by agent'; readonly of: 'the server' | 'another server' }
  | { readonly comes: 'by session'; readonly person: Person }
  | {
      readonly comes: 'by key'
      /** Undefined: a MACHINE key, which has no owner. */
      readonly person: Person | undefined
      readonly scopes: KeyScopes
      /** Restricted to the project that paths name, or to another one. */
      readonly only?: 'here' | 'elsewhere'
    }

/** The headers and query that a request carries. */
export interface RequestCredential {
  readonly as?: string
  readonly headers?: Record<string, string>
  readonly search?: string
}

export interface Credential {
  readonly name: string
  readonly profile: CredentialProfile
  requestCredential(world: AccessWorld, row: Row): Promise<RequestCredential>
}

const USER: Person = { name: 'USER', role: 'USER' }
const SUPERADMIN: Person = { name: 'SUPERADMIN', role: 'SUPERADMIN' }
const NEIGHBOUR: Person = { name: 'non-member', role: 'USER', isElsewhere: true }
const VIEWER: Person = { name: 'VIEWER', role: 'USER', inProject: 'VIEWER', onServer: 'USE' }
const DEVELOPER: Person = {
  name: 'DEVELOPER',
  role: 'USER',
  inProject: 'DEVELOPER',
  inTeam: 'member',
  onServer: 'MANAGE',
}
const PROJECT_ADMIN: Person = { name: 'project ADMIN', role: 'USER', inProject: 'ADMIN' }
const OWNER: Person = { name: 'OWNER', role: 'USER', inProject: 'OWNER', inTeam: 'owner' }
const admin = (name: string, granted: GrantedPermissions): Person => ({ name, role: 'ADMIN', granted })

const session = (person: Person): Credential => ({
  name: person.name,
  profile: { comes: 'by session', person },
  requestCredential: async (world, row) => ({ as: await world.session(person, row) }),
})

const key = (
  name: string,
  person: Person | undefined,
  terms: { scopes: KeyScopes; only?: 'here' | 'elsewhere' },
): Credential => ({
  name,
  profile: { comes: 'by key', person, ...terms },
  requestCredential: async (world, row) => ({ as: await world.key(person, row, terms) }),
})

/** What an agent sends. */
export const agentHeaders = ({ serverId, token }: AgentOfServer): RequestCredential => ({
  as: token,
  headers: { [SERVER_HEADER]: serverId, [RUN_HEADER]: RUN },
})

/** Credentials that are never valid: invented, expired, of another installation or of another purpose. Made once. */
function refused(name: string, like: 'session' | 'key', make: (world: AccessWorld) => Promise<string>): Credential {
  const made = new WeakMap<AccessWorld, Promise<string>>()
  return {
    name,
    profile: { comes: 'refused', like },
    async requestCredential(world) {
      const secret = made.get(world) ?? make(world)
      made.set(world, secret)
      return { as: await secret }
    },
  }
}

const sessions = [
  refused('garbage', 'session', async () => 'garbage'),
  refused('garbage like a JWT', 'session', async () => 'a.b.c'),
  refused('a machine token of the licensing service', 'session', async () => newSecret('m')),
  refused('a session token that ran out', 'session', async ({ earlier }) => earlier.as),
  refused('a session that ran out', 'session', async ({ panel }) => {
    const { as, id } = await panel.somebody('SUPERADMIN')
    const past = `UPDATE read.user_sessions SET expires_at = now() - interval '1 second' WHERE user_id = $1`
    await panel.superuser.query(past, [id])
    return as
  }),
  refused('an ended session', 'session', async ({ panel }) => {
    const { as } = await panel.somebody('SUPERADMIN')
    await panel.call('POST', '/api/auth/logout', { as, body: {} })
    return as
  }),
  refused('suspended', 'session', async ({ panel, suspend }) => {
    const { as, id } = await panel.somebody('SUPERADMIN')
    await suspend(id)
    return as
  }),
  refused('a session token signed by a stranger', 'session', async ({ panel }) => {
    const { privateKey } = await generateKeyPair('EdDSA')
    const { id } = await panel.account('SUPERADMIN')
    return new SignJWT({ sub: id, sid: UNKNOWN_ID, jti: 'x' })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt' })
      .setIssuer(panel.settings.baseUrl)
      .setAudience('daybook-panel')
      .setIssuedAt()
      .setExpirationTime('10m')
      .sign(privateKey)
  }),
  refused('a refresh token as bearer', 'session', ({ refreshToken }) => refreshToken()),
  refused('an SSE token as bearer', 'session', ({ streamToken }) => streamToken()),
]

const keys = [
  refused('an unknown key', 'key', async () => newSecret('k')),
  refused('garbage like a key', 'key', async () => 'dbk_garbage'),
  refused(
    'key from a wrong address',
    'key',
    async ({ minted }) => (await minted({ allowedIps: ['192.0.2.1'] })).secret,
  ),
  refused('revoked key', 'key', async ({ minted, keys, root }) => {
    const { id, secret } = await minted()
    await keys.revoke(root, id)
    return secret
  }),
  refused('deleted key', 'key', async ({ minted, keys, root }) => {
    const { id, secret } = await minted()
    await keys.remove(root, id)
    return secret
  }),
  refused('expired key', 'key', async ({ earlier }) => earlier.key),
  refused('key of somebody suspended', 'key', async ({ panel, keys, suspend }) => {
    const { as, id } = await panel.somebody('SUPERADMIN')
    const { secret } = await keys.minted({ as })
    await suspend(id)
    return secret
  }),
]

const agent = (name: string, of: 'the server' | 'another server'): Credential => ({
  name,
  profile: { comes: 'by agent', of },
  requestCredential: async ({ things }) => agentHeaders(things.agents[of]),
})

const agents: Credential[] = [
  agent('agent', 'the server'),
  agent('agent of another server', 'another server'),
  {
    name: 'install token',
    profile: { comes: 'by install token' },
    requestCredential: async ({ things }) => ({ as: things.installToken }),
  },
  {
    name: 'an unknown install token',
    profile: { comes: 'refused', like: 'install' },
    requestCredential: async () => ({ as: newSecret('i') }),
  },
  {
    name: 'an unknown agent token',
    profile: { comes: 'refused', like: 'agent' },
    requestCredential: async ({ things }) => agentHeaders({ ...things.agents['the server'], token: newSecret('a') }),
  },
  {
    name: 'the agent token of another server',
    profile: { comes: 'refused', like: 'agent' },
    requestCredential: async ({ things: { agents } }) =>
      agentHeaders({ ...agents['another server'], serverId: agents['the server'].serverId }),
  },
]

export const CREDENTIALS: readonly Credential[] = [
  { name: 'none', profile: { comes: 'with nothing' }, requestCredential: async () => ({}) },
  ...sessions,
  ...keys,
  ...agents,
  ...[
    USER,
    admin('ADMIN', 'nothing'),
    admin('ADMIN with the permission', 'what is needed'),
    admin('ADMIN with every other permission', 'all else'),
    SUPERADMIN,
    NEIGHBOUR,
    VIEWER,
    DEVELOPER,
    PROJECT_ADMIN,
    OWNER,
  ].map(session),
  key('key with the right scope', OWNER, { scopes: 'the right one' }),
  key('key with all scopes', OWNER, { scopes: 'all' }),
  key('key with every other scope', OWNER, { scopes: 'all others' }),
  key('key of this project', OWNER, { scopes: 'all', only: 'here' }),
  key('key of a wrong project', OWNER, { scopes: 'all', only: 'elsewhere' }),
  key('key of a VIEWER', VIEWER, { scopes: 'all' }),
  key('key of a non-member', NEIGHBOUR, { scopes: 'all' }),
  key('key of an ADMIN with the permission', admin('ADMIN with the permission', 'what is needed'), { scopes: 'all' }),
  key('key of a SUPERADMIN', SUPERADMIN, { scopes: 'all' }),
  key('MACHINE key with the right scope', undefined, { scopes: 'the right one' }),
  key('MACHINE key with all scopes', undefined, { scopes: 'all' }),
  key('MACHINE key with every other scope', undefined, { scopes: 'all others' }),
  key('MACHINE key of a wrong project', undefined, { scopes: 'all', only: 'elsewhere' }),
  {
    name: 'SSE token',
    profile: { comes: 'with a stream token' },
    async requestCredential(world, row) {
      const token = await world.streamToken()
      // A route without a gate refuses an unknown query parameter as bad input.
      return isOpen(row) ? { as: token } : { search: `?sseToken=${token}` }
    },
  },
  {
    name: 'a refresh cookie of nobody’s',
    profile: { comes: 'with nothing' },
    requestCredential: async () => ({ headers: withCookie(newSecret('r')) }),
  },
  {
    name: 'refresh cookie',
    profile: { comes: 'with a refresh cookie' },
    requestCredential: async (world, row) => ({ headers: withCookie(await world.refreshToken(row)) }),
  },
]
