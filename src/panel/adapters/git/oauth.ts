/**
 * The OAuth authorization code grant of GitLab and Gitea (also Forgejo), with PKCE, and the renewal of its tokens.
 * Sources: RFC 6749, 7636 and 9207; GitLab's "OAuth 2.0 identity provider API"; Gitea's "OAuth2 provider".
 */
import { hash } from 'node:crypto'
import { z } from 'zod'
import { reject } from '#kernel/lib/rejection'
import { postForm, readForgeAnswer } from './forge-calls.ts'
import type { ForgeConnection } from './forge-calls.ts'

export type OAuthKind = 'GITLAB' | 'GITEA'

interface Places {
  readonly authorize: string
  readonly token: string
  /** To read repositories, and to install webhooks. */
  readonly scope: string
}

const PLACES: Readonly<Record<OAuthKind, Places>> = {
  GITLAB: { authorize: '/oauth/authorize', token: '/oauth/token', scope: 'api' },
  GITEA: {
    authorize: '/login/oauth/authorize',
    token: '/login/oauth/access_token',
    scope: 'read:user write:repository',
  },
}

/** The application that is registered at the provider. */
export interface OAuthClient {
  readonly kind: OAuthKind
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
}

interface Asking extends Pick<OAuthClient, 'kind' | 'baseUrl' | 'clientId'> {
  readonly redirectUri: string
  readonly state: string
  /** 43 to 128 characters that a URL takes as they are. */
  readonly verifier: string
}

/** Where a person is asked whether the panel may do this. */
export function authorizationUrl({ kind, baseUrl, clientId, redirectUri, state, verifier }: Asking): string {
  const { authorize, scope } = PLACES[kind]
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    state,
    scope,
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
  })
  return `${baseUrl}${authorize}?${query.toString()}`
}

/** Whether what came back says that another provider has answered. Undefined: it does not say who has. */
export const isOtherIssuer = (issuer: string | undefined, { baseUrl }: Pick<OAuthClient, 'baseUrl'>): boolean =>
  issuer !== undefined && issuer.replace(/\/$/, '') !== baseUrl

const SECONDS_MAX = 366 * 86_400
const token = z
  .string()
  .max(8_192)
  .regex(/^[\x21-\x7e]+$/)
const Tokens = z.object({
  access_token: token,
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.int().min(1).max(SECONDS_MAX).nullish(),
  refresh_token: token.nullish(),
})
const Refused = z.object({ error: z.string() })

export interface OAuthTokens {
  readonly token: string
  /** Null: it is not renewed. */
  readonly refreshToken: string | null
  /** Null: it does not end. */
  readonly expiresInSeconds: number | null
}

type Reaching = Pick<ForgeConnection, 'reach' | 'signal'>
type Form = Readonly<Record<string, string>>

const OK = 200
/** What RFC 6749 5.2 refuses with. */
const REFUSALS: readonly number[] = [400, 401]
/** That say that the same request is refused again. Others may be passing. */
const FINAL: readonly string[] = ['invalid_grant', 'invalid_client', 'unauthorized_client', 'unsupported_grant_type']

/** The error of an answer that refuses for good. */
function refusalIn(status: number, body: Buffer): string | undefined {
  if (!REFUSALS.includes(status)) return undefined
  const { error } = readForgeAnswer(body, Refused)
  return FINAL.includes(error) ? error : undefined
}

/** @returns undefined if the provider refuses it for good @throws Rejection 400 · 409 */
async function tokensFor(client: OAuthClient, form: Form, reaching: Reaching): Promise<OAuthTokens | undefined> {
  const { kind, baseUrl, clientId, clientSecret } = client
  const own = { ...form, client_id: clientId, client_secret: clientSecret }
  const { status, body } = await postForm(`${baseUrl}${PLACES[kind].token}`, own, reaching)
  if (status === OK) {
    const { access_token, refresh_token, expires_in } = readForgeAnswer(body, Tokens)
    return { token: access_token, refreshToken: refresh_token ?? null, expiresInSeconds: expires_in ?? null }
  }
  if (refusalIn(status, body) !== undefined) return undefined
  return reject('conflict', `The provider answers with status ${status}`, 'PROVIDER_REFUSED')
}

interface Grant {
  readonly code: string
  readonly redirectUri: string
  readonly verifier: string
}

/**
 * A code is taken once.
 * @returns undefined if the provider refuses it
 * @throws Rejection 400 ADDRESS_REFUSED · 409 PROVIDER_REFUSED · PROVIDER_UNREACHABLE
 */
export const exchangeCode = (
  client: OAuthClient,
  { code, redirectUri, verifier }: Grant,
  reaching: Reaching,
): Promise<OAuthTokens | undefined> =>
  tokensFor(
    client,
    { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier },
    reaching,
  )

/**
 * The answer may bring another refresh token, which replaces this one.
 * @returns undefined if the provider refuses it for good
 * @throws as `exchangeCode`, for what may pass
 */
export const renewTokens = (
  client: OAuthClient,
  refreshToken: string,
  reaching: Reaching,
): Promise<OAuthTokens | undefined> =>
  tokensFor(client, { grant_type: 'refresh_token', refresh_token: refreshToken }, reaching)
