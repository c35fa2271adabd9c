/** Each route that declares `from`, tried in every state that its record can be in. */
import { expect, test } from 'vitest'
import type { Decider } from '#kernel/events/decider'
import { apiKeys } from '#panel/api-keys/decider'
import { apiKeyEvents } from '#panel/api-keys/events'
import { applicationEnv } from '#panel/applications/env/decider'
import { applicationEnvEvents } from '#panel/applications/env/events'
import { deployments } from '#panel/deployments/decider'
import { deploymentEvents } from '#panel/deployments/events'
import { panelLicense, requireLicense } from '#panel/license/decider'
import { panelLicenseEvents } from '#panel/license/events'
import { projects } from '#panel/projects/decider'
import { projectEvents } from '#panel/projects/events'
import { ownerOf } from '#panel/projects/rights/rules'
import { servers } from '#panel/servers/decider'
import { serverEvents } from '#panel/servers/events'
import { users } from '#panel/users/decider'
import { userEvents } from '#panel/users/events'
import { AT } from '#test/support/decider-spec'
import { SERVER_VALUES } from '#test/support/panel/server-examples'
import { routes } from '../../../src/composition/panel.ts'
import { routesWithFrom, walkThroughStates } from '../../support/state-walk.ts'
import type { Moment, Walk } from '../../support/state-walk.ts'

const declared = routesWithFrom(routes)
const walked = new Set<string>()

function walk<D extends Decider>(name: string, decider: D, spec: Walk<D>): void {
  for (const line of Object.keys(spec.routes)) walked.add(line)
  test(`the routes of ${name}`, () => walkThroughStates(declared, decider, spec))
}

const idOf = (number: number): string => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`
const [ID, OWNER, ROLE] = [idOf(1), idOf(2), idOf(4)]

const key = (number: number, expiresAt: string | null) => ({
  apiKeyId: idOf(number),
  ownerId: OWNER,
  prefix: 'dbk_abcdefgh',
  name: 'CI',
  hash: `hash ${number}`,
  scopes: ['platform:projects:view'],
  projectIds: null,
  allowedIps: [],
  expiresAt,
})
const inAYear = new Date(AT.getTime() + 300 * 86_400_000).toISOString()
/** As the read model computes it. */
const keysShown = ({ state, at }: Moment<typeof apiKeys>) =>
  state.map(({ id, isRevoked, expiresAt }) => {
    const isExpired = expiresAt !== null && Date.parse(expiresAt) <= at.getTime()
    return { id, shown: { status: isRevoked ? 'REVOKED' : isExpired ? 'EXPIRED' : 'ACTIVE' } }
  })
const revoke = ({ decide }: Moment<typeof apiKeys>, apiKeyId: string) => decide('RevokeKey', { apiKeyId })
walk('an API key', apiKeys, {
  begins: [[apiKeyEvents.ApiKeyMinted(key(1, null)), apiKeyEvents.ApiKeyMinted(key(2, inAYear))]],
  moves: [
    ({ decide }) => decide('RevokeKey', { apiKeyId: idOf(1) }),
    ({ decide }) => decide('RevokeKey', { apiKeyId: idOf(2) }),
    ({ decide }) => decide('DeleteKey', { apiKeyId: idOf(1) }),
    ({ decide }) => decide('RevokeAll', {}),
    () => [],
  ],
  records: keysShown,
  routes: { 'POST /api/api-keys/:id/revoke': [revoke], 'POST /api/admin/api-keys/:id/revoke': [revoke] },
})

const superadmin = { id: OWNER, role: 'SUPERADMIN' } as const
walk('an account', users, {
  begins: [
    [
      userEvents.UserAdded({
        userId: ID,
        email: 'a@b.test',
        emailKey: 'key',
        name: null,
        role: 'USER',
        status: 'ACTIVE',
        passwordHash: null,
      }),
    ],
  ],
  moves: (['SUPERADMIN', 'ADMIN', 'USER'] as const).map(
    (role) =>
      ({ decide }) =>
        decide('ChangeUser', { by: superadmin, role }),
  ),
  records: ({ state }) => [{ id: ID, shown: { role: state!.role } }],
  routes: {
    'PATCH /api/admin/users/:id/admin-permissions': [
      ({ decide }) => decide('GrantPermissions', { by: superadmin, permissions: ['users:view'] }),
    ],
    'PATCH /api/admin/users/:id/admin-role': [
      ({ decide }) => decide('GiveAdminRole', { by: superadmin, adminRoleId: ID }),
    ],
  },
})

walk('a server', servers, {
  begins: (['LOCAL', 'REMOTE'] as const).map((kind) => [
    serverEvents.ServerAdded({ serverId: ID, kind, ...SERVER_VALUES }),
  ]),
  moves: [
    ({ decide, made }) => decide('IssueInstallToken', { installTokenId: idOf(made), hash: `hash ${made}` }),
    ({ decide }) => decide('ChangeServer', { changes: { cordoned: true } }),
    ({ decide }) => decide('Reset', {}),
  ],
  records: ({ state }) => [{ id: ID, shown: { kind: state!.kind } }],
  routes: { 'DELETE /api/servers/:id': [({ decide }) => decide('Remove', {})] },
})

const by = { userId: OWNER, teamIds: [], platform: 'ADMIN' as const }
const memberIds = ({ state }: Moment<typeof projects>) => Object.keys(state!.members)
const oneMember = (now: Moment<typeof projects>) => memberIds(now)[now.made % memberIds(now).length] ?? ID
const member = (made: number) => ({
  memberId: idOf(made),
  userId: idOf(made + 1_000),
  invited: null,
  roleId: null,
  environmentIds: null,
})
const PROJECT: Pick<Walk<typeof projects>, 'begins' | 'moves'> = {
  begins: [null, idOf(3)].map((ownerId) => [
    projectEvents.ProjectCreated({ projectId: ID, name: 'Shop', description: null, ownerId, memberId: ownerId }),
    projectEvents.ProjectRoleCreated({ projectId: ID, roleId: ROLE, name: 'Deploys', permissions: [] }),
  ]),
  moves: [
    ...(['ADMIN', 'DEVELOPER', 'VIEWER'] as const).map(
      (role) =>
        ({ decide, made }: Moment<typeof projects>) =>
          decide('AddMember', { ...member(made), role, by }),
    ),
    ({ decide, made }) => decide('ClaimOwnership', { by: { ...by, userId: idOf(made + 1_000) }, memberId: idOf(made) }),
    (now) =>
      now.decide('TransferOwnership', {
        memberId: oneMember(now),
        by: { ...by, userId: ownerOf(now.state!)?.userId ?? OWNER },
      }),
    (now) => now.decide('SetCustomRole', { memberId: oneMember(now), roleId: ROLE, by }),
    (now) => now.decide('RemoveMember', { memberId: oneMember(now), by }),
    (now) => now.decide('Forget', { userId: ownerOf(now.state!)?.userId ?? OWNER }),
  ],
}
walk('a project', projects, {
  ...PROJECT,
  records: ({ state }) => [{ id: ID, shown: { ownerId: ownerOf(state!)?.userId ?? null } }],
  routes: {
    'POST /api/projects/:id/claim-ownership': [
      ({ decide, made }) => decide('ClaimOwnership', { by, memberId: idOf(made) }),
    ],
  },
})

const environmentIds = [idOf(9)]
walk('a member of a project', projects, {
  ...PROJECT,
  records: ({ state }) => Object.values(state!.members).map(({ id, role }) => ({ id, shown: { role } })),
  routes: {
    'PATCH /api/projects/:id/members/:memberId': [
      ({ decide }, memberId) => decide('ChangeMember', { memberId, environmentIds, by }),
    ],
    'DELETE /api/projects/:id/members/:memberId': [({ decide }, memberId) => decide('RemoveMember', { memberId, by })],
    'PATCH /api/projects/:id/members/:memberId/custom-role': [
      ({ decide }, memberId) => decide('SetCustomRole', { memberId, roleId: null, by }),
      ({ decide }, memberId) => decide('SetCustomRole', { memberId, roleId: ROLE, by }),
    ],
    'PUT /api/projects/:id/members/:memberId/grants': [
      ({ decide }, memberId) => decide('GrantMember', { memberId, permissions: [], environmentIds, by }),
    ],
  },
})

const about = { applicationId: ID, projectId: idOf(5), environmentId: idOf(6) }
const addSet = (name: string, setId: string) => ({ about, setId, name, set: [], remove: [] })
const asked = {
  ...about,
  deploymentId: ID,
  serverId: idOf(8),
  previewId: null,
  kind: 'DEPLOY' as const,
  cause: { type: 'USER' as const, id: OWNER },
  commit: null,
  branch: null,
  imageTag: null,
  alwaysBuilds: false,
  fromId: null,
  variables: null,
}
const image = { service: 'app', imageId: 'sha256:1', repoDigest: null, step: 'STARTING' as const }
walk('a deployment', deployments, {
  begins: [
    [deploymentEvents.DeploymentRequested(asked)],
    // Chance alone does not come to each end in every run.
    [
      deploymentEvents.DeploymentRequested(asked),
      deploymentEvents.DeploymentStarted({ ...about, deploymentId: ID, step: 'FETCHING' }),
    ],
    [
      deploymentEvents.DeploymentRequested(asked),
      deploymentEvents.DeploymentStarted({ ...about, deploymentId: ID, step: 'PULLING' }),
      deploymentEvents.DeploymentBuilt({ ...about, deploymentId: ID, ...image }),
    ],
  ],
  moves: [
    ({ decide }) => decide('Start', { step: 'FETCHING' }),
    ({ decide }) => decide('Start', { step: 'PULLING' }),
    ({ decide }) => decide('Start', { step: 'STOPPING' }),
    ({ decide }) => decide('NoteFetched', { commit: 'c', subject: 's', step: 'BUILDING' }),
    ({ decide }) => decide('NoteImage', image),
    ({ decide }) => decide('NoteReady', {}),
    ({ decide }) => decide('Succeed', {}),
    ({ decide }) => decide('Fail', { code: 'X', message: 'x' }),
    ({ decide }) => decide('Cancel', {}),
    ({ decide }) => decide('NoteCancelled', {}),
    ({ decide }) => decide('Supersede', { byId: idOf(9) }),
    ({ decide }) => decide('Skip', { why: 'SAME_COMMIT' }),
  ],
  records: ({ state }) => [{ id: ID, shown: { status: state!.state } }],
  routes: {
    'POST /api/applications/:id/deployments/:depId/cancel': [({ decide }) => decide('Cancel', {})],
  },
})

walk('a set of variables', applicationEnv, {
  begins: [[applicationEnvEvents.ApplicationEnvSetAdded({ ...about, setId: idOf(7), name: 'live' })]],
  moves: [
    ({ decide, made }) => decide('AddSet', addSet(`set ${made}`, idOf(made))),
    ({ decide }) => decide('Activate', { about, setId: idOf(7) }),
  ],
  records: ({ state }) => Object.keys(state.sets).map((id) => ({ id, shown: { isActive: state.activeSetId === id } })),
  routes: {
    'DELETE /api/applications/:id/env-sets/:setId': [({ decide }, setId) => decide('RemoveSet', { about, setId })],
    'POST /api/applications/:id/env-sets/:setId/activate': [
      ({ decide }, setId) => decide('Activate', { about, setId }),
    ],
  },
})

const license = { licenseId: 'lic_test', licenseKey: 'of a test' }
walk('the license of the panel', panelLicense, {
  begins: [[], [panelLicenseEvents.LicenseKeySet({ ...license, from: 'ENVIRONMENT' })]],
  moves: [({ decide }) => decide('SetKey', license), ({ decide }) => decide('RemoveKey', {})],
  records: ({ state }) => [{ id: 'license', shown: { keyId: state?.licenseId ?? null } }],
  routes: {
    'POST /api/admin/license/remove': [({ decide }) => decide('RemoveKey', {})],
    'POST /api/admin/license/revalidate': [({ state }) => void requireLicense(state)],
  },
})

test('every route that declares from is tried', () => {
  expect([...walked].toSorted()).toEqual([...declared.keys()].toSorted())
})
