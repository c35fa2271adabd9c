/**
 * Doubles of the OAuth provider of GitLab and of Gitea, in the shapes of RFC 6749 and 7636 and of their references:
 * authorization codes with PKCE, which are taken once, and refresh tokens that are replaced when they are used.
 */
import { createHash } from 'node:crypto'
import { FORGE_TOKEN, ForgeAnswer } from './forge-server.ts'
import type { ForgeWeb, WebRequest } from './forge-server.ts'
import { giteaDouble } from './github-like.ts'
import { gitLabDouble } from './gitlab.ts'

export const OAUTH_CLIENT = { clientId: 'the-application', clientSecret: 'canary-secret-of-the-application' }

const FORMS = {
  GITLAB: {
    authorize: '/oauth/authorize',
    token: '/oauth/token',
    scope: 'api',
    seconds: 7_200,
    /** GitLab takes the former refresh token until the new access token is used, Gitea as it is set up. */
    former: 'until the new token is used',
    double: gitLabDouble,
  },
  GITEA: {
    authorize: '/login/oauth/authorize',
    token: '/login/oauth/access_token',
    scope: 'read:user write:repository',
    seconds: 3_600,
    former: 'never',
    double: giteaDouble,
  },
} as const
export type OAuthForge = keyof typeof FORMS

interface Asked {
  readonly redirectUri: string
  readonly challenge: string
}

interface Given {
  readonly access: string
  /** The refresh token before it. */
  readonly former: string | undefined
}

const AUTHORIZATION = [
  'client_id',
  'redirect_uri',
  'response_type',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
]
const refusal = (error: string, status = 400) => new ForgeAnswer(status, { error, error_description: 'words' })

export async function oauthDouble(kind: OAuthForge) {
  const { authorize, token, scope, seconds, former: formerRule, double } = FORMS[kind]
  const codes = new Map<string, Asked>()
  const refresh = new Map<string, Given>()
  const accesses = new Set<string>()
  let made = 0
  let answering: ForgeAnswer | undefined
  const asked: URLSearchParams[] = []

  function give(former?: string): ForgeAnswer {
    made += 1
    const [access, next] = [`canary-access-${kind}-${made}`, `canary-refresh-${kind}-${made}`]
    accesses.add(access)
    refresh.set(next, { access, former })
    const body = { access_token: access, refresh_token: next, token_type: 'Bearer', expires_in: seconds, scope }
    return new ForgeAnswer(200, kind === 'GITLAB' ? { ...body, created_at: 1 } : { ...body, token_type: 'bearer' })
  }

  function exchange(form: URLSearchParams): ForgeAnswer {
    const known = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight = known?.redirectUri === form.get('redirect_uri') && known?.challenge === challenge
    return isRight ? give() : refusal('invalid_grant')
  }

  function renew(form: URLSearchParams): ForgeAnswer {
    const given = form.get('refresh_token') ?? ''
    const held = refresh.get(given)
    if (!held) return refusal('invalid_grant')
    if (formerRule === 'never') refresh.delete(given)
    return give(given)
  }

  const web: ForgeWeb = {
    answer({ method, path, headers, text }: WebRequest) {
      if (path !== token) return undefined
      const form = new URLSearchParams(text)
      asked.push(form)
      const isForm = headers['content-type'] === 'application/x-www-form-urlencoded'
      if (method !== 'POST' || !isForm || headers.accept !== 'application/json') return refusal('invalid_request')
      if (answering) return answering
      const isClient =
        form.get('client_id') === OAUTH_CLIENT.clientId && form.get('client_secret') === OAUTH_CLIENT.clientSecret
      if (!isClient) return refusal('invalid_client', 401)
      if (form.get('grant_type') === 'authorization_code') return exchange(form)
      return form.get('grant_type') === 'refresh_token' ? renew(form) : refusal('unsupported_grant_type')
    },
    authorization(sent) {
      const [word = '', access = ''] = (sent ?? '').split(' ')
      if (!accesses.has(access)) return sent === undefined ? undefined : 'none'
      for (const { access: of, former } of refresh.values())
        if (of === access && former !== undefined && formerRule !== 'never') refresh.delete(former)
      return `${word} ${FORGE_TOKEN}`
    },
  }
  const server = await double(web)

  return {
    ...server,
    /** The forms that its token endpoint was sent. */
    asked,
    /** The token endpoint answers so, until it is undefined. */
    answer: (next: ForgeAnswer | undefined) => void (answering = next),
    /** From now on, these are refused. */
    revoke(): void {
      refresh.clear()
      accesses.clear()
    },
    /** A person allows it. @returns the query that the browser is sent back with */
    allow(url: string): URLSearchParams {
      const { origin, pathname, searchParams } = new URL(url)
      const wrong = [...searchParams.keys()].filter((name) => !AUTHORIZATION.includes(name))
      const isRight =
        origin + pathname === server.url + authorize &&
        wrong.length === 0 &&
        searchParams.get('client_id') === OAUTH_CLIENT.clientId &&
        searchParams.get('response_type') === 'code' &&
        searchParams.get('code_challenge_method') === 'S256' &&
        searchParams.get('scope') === scope
      if (!isRight) throw new Error(`The provider refuses ${url}`)
      made += 1
      const code = `canary-code-${kind}-${made}`
      codes.set(code, {
        redirectUri: searchParams.get('redirect_uri')!,
        challenge: searchParams.get('code_challenge')!,
      })
      return new URLSearchParams({ code, state: searchParams.get('state')! })
    },
  }
}
