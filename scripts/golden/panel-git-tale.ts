/** Git providers of a person, one of them shared with a project. */
import { gitProviders } from '#panel/git-providers/decider'
import { gitFlows } from '#panel/git-providers/flows/decider'
import { told } from './panel-people.ts'
import type { PanelTeller, Person } from './panel-people.ts'
import type { Call } from './telling.ts'

const EXPIRES_MS = 900_000
/** Of a kind without an API, so that nothing is called. */
const GENERIC = { kind: 'GENERIC', baseUrl: 'https://forge.example', token: 'the-token-of-the-forge' }

/** In the form of a key of OpenSSH; it opens nothing. */
const KEY = '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n'

export async function connectsProviders(call: Call, teller: PanelTeller, { as, id: ownerId }: Person): Promise<void> {
  const connect = async (body: object): Promise<string> =>
    (await call('POST /api/git-providers', { as, body: { ...GENERIC, ...body } })).body.id
  const [{ id: projectId }] = (await call('GET /api/projects', { as })).body
  const own = await connect({ name: 'Mine', username: 'ada' })
  await connect({ name: 'Ours', projectId, repositories: ['ada/shop', 'ada/notes'] })
  const ssh = await connect({ kind: 'SSH', baseUrl: 'ssh://git@forge.example', name: 'By key', token: KEY })
  await told(teller, (unit) => unit.decide(gitProviders, ssh, 'PinHostKey', { hostKey: 'ssh-ed25519 AAAA' }))
  await call(`DELETE /api/git-providers/${own}`, { as })
  await signsInAtGitHub(teller, ownerId)
  await signsInAtGitea(teller, ownerId)
  await teller.settle()
}

/** A flow at a Gitea, whose token is renewed and then refused. */
async function signsInAtGitea(teller: PanelTeller, ownerId: string): Promise<void> {
  await told(teller, async (unit) => {
    const [gitFlowId, gitProviderId] = [unit.newId(), unit.newId()]
    const at = (ms: number) => new Date(unit.at.getTime() + ms).toISOString()
    const asked = { ownerId, projectId: null, name: 'Our Gitea', repositories: '' }
    const place = { kind: 'GITEA', baseUrl: 'https://gitea.example' } as const
    const client = { oauthClient: 'the-application', clientSecret: 'the-secret-of-the-application' }
    const redirectUri = 'https://panel.example/api/git-providers/oauth/selfhosted-git/callback'
    const hashes = { browserHash: 'a'.repeat(64), stateHash: 'b'.repeat(64) }
    const flow = {
      ...asked,
      ...place,
      ...client,
      ...hashes,
      verifier: 'the-verifier',
      redirectUri,
      expiresAt: at(600_000),
    }
    await unit.decide(gitFlows, gitFlowId, 'Redirect', { gitFlowId, againId: null, sessionId: unit.newId(), ...flow })
    await unit.decide(gitFlows, gitFlowId, 'Return', { browserHash: hashes.browserHash })
    const provider = { ...asked, ...place, gitProviderId, account: 'ada', username: null, token: 'first-token' }
    await unit.decide(gitProviders, gitProviderId, 'Connect', provider)
    const first = { refreshToken: 'first-refresh', expiresAt: at(3_600_000), renewAt: at(2_700_000) }
    await unit.decide(gitProviders, gitProviderId, 'Grant', { ...client, ...first })
    await unit.decide(gitFlows, gitFlowId, 'End', { outcome: 'AUTHORIZED', gitProviderId })
    const next = { refreshToken: 'next-refresh', expiresAt: at(7_200_000), renewAt: at(6_300_000) }
    await unit.decide(gitProviders, gitProviderId, 'Renew', { used: first.refreshToken, token: 'next-token', ...next })
    await unit.decide(gitProviders, gitProviderId, 'Refuse', { used: next.refreshToken })
  })
}

/** Flows at GitHub, told by their commands: what answers there is not part of the tale. */
async function signsInAtGitHub(teller: PanelTeller, ownerId: string): Promise<void> {
  for (const outcome of ['AUTHORIZED', 'DENIED'] as const)
    await told(teller, async (unit) => {
      const [gitFlowId, gitProviderId] = [unit.newId(), unit.newId()]
      const expiresAt = new Date(unit.at.getTime() + EXPIRES_MS).toISOString()
      const asked = { ownerId, projectId: null, name: 'GitHub', repositories: '' }
      const flow = { ...asked, code: 'the code of the flow', intervalSeconds: 5, expiresAt }
      await unit.decide(gitFlows, gitFlowId, 'Start', { gitFlowId, ...flow })
      const end = { outcome, gitProviderId: outcome === 'AUTHORIZED' ? gitProviderId : null }
      await unit.decide(gitFlows, gitFlowId, 'End', end)
    })
}
