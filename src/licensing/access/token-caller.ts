/**
 * Authenticates machine tokens. Nothing is cached: a revocation takes effect on the next request in
 * every process.
 */
import { ipAllowed } from '#kernel/credentials/allowed-ips'
import type { LastUseRecorder } from '#kernel/credentials/last-uses'
import { hashSecret, isSecret } from '#kernel/credentials/secret-token'
import type { RequestHead, Caller } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { findPresentedToken } from '#projections/licensing/machine-tokens'
import type { PresentedToken } from '#projections/licensing/machine-tokens'
import { TOKEN } from './access.ts'
import { isBannedForTokens, isGrantable } from './permissions.ts'

export interface TokenCallerDependencies {
  readonly read: ReadDatabase
  readonly uses: { readonly tokens: LastUseRecorder }
}

/**
 * @throws Rejection 401, the same for a malformed token (without a query), an unknown, revoked or
 * expired one, and one used outside its allowedIps
 */
export async function tokenCaller(
  secret: string,
  { ip, now }: RequestHead,
  { read, uses }: TokenCallerDependencies,
): Promise<Caller> {
  const token = isSecret(secret, 'm') ? await findPresentedToken(read, { hash: hashSecret(secret) }) : undefined
  if (!token || !isUsable(token, ip, now))
    return reject('unauthenticated', 'Invalid or expired machine token', 'MACHINE_TOKEN_INVALID')
  const held = grantedPermissions(token.grants)
  return {
    kind: TOKEN,
    actor: { type: 'TOKEN', id: token.id },
    can: (permission) => held.has(permission),
    forbiddenMessage: 'This endpoint is not available to machine tokens. Use a staff session.',
    permissionBan: (permission) =>
      isBannedForTokens(permission) ? `Machine tokens may never hold ${permission}` : undefined,
    onAdmitted: () => uses.tokens.note(token.id, now, ip),
  }
}

const isUsable = ({ revokedAt, expiresAt, allowedIps }: PresentedToken, ip: string | undefined, now: Date): boolean =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now.getTime()) && ipAllowed(allowedIps, ip)

/**
 * The second of the three checks of the ban list: a token minted under an older list gains nothing
 * from it.
 */
const grantedPermissions = (grants: readonly string[]): ReadonlySet<string> => new Set(grants.filter(isGrantable))
