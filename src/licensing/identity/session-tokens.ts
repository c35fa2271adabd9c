/** Access tokens of staff: signed with a key that signs nothing else. */
import { sessionSigner } from '#kernel/identity/session'
import type { Vault } from '#kernel/vault'

const AUDIENCE = 'daybook-licensing-admin'
const SEED = 'staff-sessions'

export type SessionTokens = ReturnType<typeof sessionSigner>

const known = new WeakMap<Vault, Map<string, Promise<SessionTokens>>>()

/** Made once for a vault and a base address: importing the key takes longer than checking a signature. */
export function sessionTokens({ vault, baseUrl }: { vault: Vault; baseUrl: string }): Promise<SessionTokens> {
  const ofVault = known.get(vault) ?? new Map<string, Promise<SessionTokens>>()
  known.set(vault, ofVault)
  const tokens = ofVault.get(baseUrl) ?? make(vault, baseUrl)
  ofVault.set(baseUrl, tokens)
  tokens.catch(() => ofVault.delete(baseUrl))
  return tokens
}

async function make(vault: Vault, issuer: string): Promise<SessionTokens> {
  return sessionSigner({ seed: await vault.key(SEED), issuer, audience: AUDIENCE })
}
