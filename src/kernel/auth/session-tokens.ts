/** Access tokens: each realm has its own signing key and audience. */
import { decodeJwt } from 'jose'
import { sessionSigner } from '../credentials/access-token.ts'
import type { Vault } from '../vault/vault.ts'

export interface AccessTokenKind {
  readonly audience: string
  /** The name of the installation key that signs them. */
  readonly seed: string
}

export type SessionTokens = ReturnType<typeof sessionSigner>

const signersByVault = new WeakMap<Vault, Map<string, Promise<SessionTokens>>>()

/** Cached per vault, audience and base address: importing the key takes longer than verifying a signature. */
export function sessionTokens(
  { vault, baseUrl }: { vault: Vault; baseUrl: string },
  kind: AccessTokenKind,
): Promise<SessionTokens> {
  const ofVault = signersByVault.get(vault) ?? new Map<string, Promise<SessionTokens>>()
  signersByVault.set(vault, ofVault)
  const name = `${kind.audience} ${baseUrl}`
  const tokens = ofVault.get(name) ?? createSigner(vault, baseUrl, kind)
  ofVault.set(name, tokens)
  tokens.catch(() => ofVault.delete(name))
  return tokens
}

async function createSigner(vault: Vault, issuer: string, { audience, seed }: AccessTokenKind): Promise<SessionTokens> {
  return sessionSigner({ seed: await vault.key(seed), issuer, audience })
}

/** Reads the unverified audience, which only selects the key that must verify the token. */
export function hasAudience(token: string, { audience }: AccessTokenKind): boolean {
  try {
    return decodeJwt(token).aud === audience
  } catch {
    return false
  }
}
