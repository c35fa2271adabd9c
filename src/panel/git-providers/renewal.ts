/** Renews the token of a provider that was connected by OAuth, before it ends. */
import { setTimeout as pause } from 'node:timers/promises'
import { enforceLimit, forgetIdleAttempts } from '#kernel/auth/caller-limits'
import type { CallerLimit } from '#kernel/auth/caller-limits'
import type { JobContext } from '#kernel/jobs/job-context'
import { Rejection } from '#kernel/lib/rejection'
import { renewTokens } from '../adapters/git/oauth.ts'
import type { OAuthKind, OAuthTokens } from '../adapters/git/oauth.ts'
import { gitProviders } from './decider.ts'
import type { GitProvider, Grant } from './decider.ts'
import { gitReach, UNABORTED } from './forges.ts'
import { grantOf, isDue } from './renewal-rules.ts'

/**
 * Of a provider, in all processes. A renewal ends before the next may begin: the call takes at most 10 s, and the answer
 * is kept for at most `KEEP_MS`. So two never use one refresh token at the same time.
 */
const ONE_AT_A_TIME: CallerLimit = { name: 'git-token-renewal', windowMax: 1, windowSeconds: 60 }
/** One that has not answered for a while is asked less often. Its token ends a quarter of an hour after the first try at the latest. */
const TRIES: CallerLimit = { name: 'git-token-tries', windowMax: 40, windowSeconds: 3_600 }
const KEEP_MS = 40_000
const AGAIN_MS = 1_000

export type Renewing = Pick<JobContext, 'run' | 'service' | 'telemetry'>

const isRenewable = ({ grant, isRefused }: GitProvider, at: Date): boolean =>
  grant !== null && !isRefused && isDue(grant, at)

/** @returns undefined if there is nothing to renew now, or it is renewed elsewhere */
async function dueProvider({ run }: Renewing, providerId: string): Promise<GitProvider | undefined> {
  return run(async (unit) => {
    const provider = await unit.load(gitProviders, providerId)
    return provider && isRenewable(provider, unit.at) ? provider : undefined
  })
}

/** Whether it is this process that renews it now. */
async function mayRenew(call: Renewing, providerId: string): Promise<boolean> {
  try {
    for (const limit of [ONE_AT_A_TIME, TRIES]) {
      await enforceLimit(call, limit, providerId)
      await forgetIdleAttempts(call, limit)
    }
    return true
  } catch (error) {
    if (error instanceof Rejection && error.statusCode === 429) return false
    throw error
  }
}

/**
 * Does nothing for a token that is not due, or is renewed by another process. What passes, such as a provider that does
 * not answer, leaves everything as it is.
 */
export async function renewToken(call: Renewing, providerId: string): Promise<void> {
  if (!(await dueProvider(call, providerId)) || !(await mayRenew(call, providerId))) return
  // Another process may have renewed it before this one was let in.
  const provider = await dueProvider(call, providerId)
  if (!provider?.grant) return
  const renewed = await asked(call, provider, provider.grant)
  if (renewed === 'PASSING') return
  const { refreshToken: used } = provider.grant
  await kept(() =>
    call.run(async (unit) => {
      if (renewed === undefined) return unit.decide(gitProviders, providerId, 'Refuse', { used })
      // Without a new one, the refresh token stays (RFC 6749, 6).
      const grant = grantOf({ ...renewed, refreshToken: renewed.refreshToken ?? used }, unit.at)
      return unit.decide(gitProviders, providerId, 'Renew', { used, token: renewed.token, ...grant })
    }),
  )
}

/** @returns undefined for one that is refused for good, as is one without a refresh token */
async function asked(
  { service }: Renewing,
  { kind, baseUrl }: GitProvider,
  { oauthClient: clientId, clientSecret, refreshToken }: Grant,
): Promise<OAuthTokens | undefined | 'PASSING'> {
  if (refreshToken === null) return undefined
  // Nothing that ends here may interrupt the call: the provider would have replaced what it was asked with.
  const reaching = { reach: service(gitReach), signal: UNABORTED }
  try {
    return await renewTokens({ kind: kind as OAuthKind, baseUrl, clientId, clientSecret }, refreshToken, reaching)
  } catch (error) {
    if (error instanceof Rejection) return 'PASSING'
    throw error
  }
}

/**
 * The provider has replaced the refresh token already, so what it has answered is stored although the store is away for a
 * moment. If this process dies before, the next asks with the former one: GitLab takes it until the new token is used,
 * which is stored first, and Gitea unless it is set up to refuse it.
 */
async function kept(store: () => Promise<unknown>): Promise<void> {
  const untilMs = performance.now() + KEEP_MS
  for (;;) {
    try {
      await store()
      return
    } catch (error) {
      if (performance.now() + AGAIN_MS > untilMs) throw error
      await pause(AGAIN_MS)
    }
  }
}
