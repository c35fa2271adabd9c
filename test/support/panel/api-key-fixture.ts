/** API keys for tests, over HTTP. */
import { expect } from 'vitest'
import { hashSecret, newSecret, secretPrefix } from '#kernel/credentials/secret-token'
import { MACHINE, apiKeyEvents } from '#panel/api-keys/events'
import type { Reply, TestUser, TestPanel } from './service.ts'

export const VIEW = 'platform:projects:view'
export const MANAGE = 'platform:projects:manage'
export const UNKNOWN_ID = '01890000-0000-7000-8000-00000000dead'

export interface MintedKey {
  readonly id: string
  readonly secret: string
}

export function apiKeyFixture(panel: TestPanel) {
  const mint = ({ as }: Pick<TestUser, 'as'>, more: object = {}): Promise<Reply> =>
    panel.call('POST', '/api/api-keys', { as, body: { name: 'CI', scopes: [VIEW, MANAGE], ...more } })

  return {
    mint,
    async minted(who: Pick<TestUser, 'as'>, more: object = {}): Promise<MintedKey> {
      const { status, body, text } = await mint(who, more)
      expect(status, text).toBe(201)
      return { id: body.key.id, secret: body.secret }
    },
    revoke: ({ as }: Pick<TestUser, 'as'>, id: string, family = '/api/api-keys') =>
      panel.call('POST', `${family}/${id}/revoke`, { as }),
    remove: ({ as }: Pick<TestUser, 'as'>, id: string, family = '/api/api-keys') =>
      panel.call('DELETE', `${family}/${id}`, { as }),
    list: async ({ as }: Pick<TestUser, 'as'>, path = '/api/api-keys'): Promise<any[]> =>
      (await panel.call('GET', path, { as })).body,
    /** The answer to a key on a route that the key opens. */
    use: (secret: string, headers?: Record<string, string>) =>
      panel.call('GET', '/api/projects', { as: secret, ...(headers && { headers }) }),
  }
}

/** A key that bypasses the rules of minting, such as one that is expired at birth. */
export async function mintWithoutRules(
  panel: TestPanel,
  ownerId: string | null,
  more: object = {},
): Promise<MintedKey> {
  const secret = newSecret('k')
  const id = await panel.run(async (unit) => {
    const apiKeyId = unit.newId()
    const spelled = { prefix: secretPrefix(secret), hash: hashSecret(secret) }
    const terms = { name: 'past', scopes: [VIEW, MANAGE], projectIds: null, allowedIps: [], expiresAt: null }
    const minted = apiKeyEvents.ApiKeyMinted({ apiKeyId, ownerId, ...terms, ...spelled, ...more })
    unit.appendEvent(apiKeyEvents, ownerId ?? MACHINE, minted)
    return apiKeyId
  })
  await panel.panel.projector.catchUp()
  return { id, secret }
}

/** The parts of an answer that do not change from one request to the next. */
export const stableReply = ({ status, text, headers }: Reply) => ({
  status,
  text,
  headers: Object.fromEntries([...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id')),
})
