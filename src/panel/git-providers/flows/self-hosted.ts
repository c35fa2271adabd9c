/** Connects a GitLab or Gitea of one's own by OAuth: a browser is sent there, and comes back with a code. */
import { randomBytes } from 'node:crypto'
import { enforceLimitByBlock, forgetIdleAttempts } from '#kernel/auth/caller-limits'
import type { CallerLimit } from '#kernel/auth/caller-limits'
import { cookie, cookieName } from '#kernel/auth/cookies'
import { ANONYMOUS_ACTOR } from '#kernel/auth/realm'
import { hashSecret } from '#kernel/credentials/secret-token'
import type { Actor } from '#kernel/events/event'
import type { HandlerContext } from '#kernel/http/route'
import { found, Rejection, reject } from '#kernel/lib/rejection'
import { userCallerOf } from '../../access/user-caller.ts'
import { authorizationUrl, exchangeCode, isOtherIssuer } from '../../adapters/git/oauth.ts'
import { configuration, effectivePanelUrl } from '../../config/effective-config.ts'
import { mustConnectProvider, mustConnectProviderIn } from '../../workflows/git-providers.ts'
import { userPrincipalOf } from '../../workflows/project-memberships.ts'
import { refuseLiteralAddress, refuseTooMany } from '../connect.ts'
import { gitProviders } from '../decider.ts'
import { forgeOf, gitReach, UNABORTED } from '../forges.ts'
import { grantOf } from '../renewal-rules.ts'
import { gitFlows } from './decider.ts'
import type { FlowEnd, GitFlow } from './decider.ts'
import { STATE_SCOPE } from './events.ts'
import type { CallbackQuery, SelfHostedStart } from './input.ts'
import { limited, STARTS } from './limits.ts'

export const CALLBACK_PATH = '/api/git-providers/oauth/selfhosted-git/callback'
const COOKIE = 'daybook_panel_git'
const FLOW_SECONDS = 600
const SECRET_BYTES = 32
/** From one address block. Each costs two look-ups. */
const RETURNS: CallerLimit = { name: 'git-flow-return', windowMax: 60, windowSeconds: 600 }

const panelUrlOf = async ({ service }: Pick<HandlerContext, 'service'>): Promise<string> => {
  const { environment, decided } = service(configuration)
  return effectivePanelUrl(environment, await decided())
}

const newFlowSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

export interface BegunSignIn {
  readonly flowId: string
  readonly authorizationUrl: string
  /** Of the browser that begins it: the value of Set-Cookie. */
  readonly browserCookie: string
}

/** To connect one again shares nothing that was not shared. */
const newlyShared = ({ againId, projectId }: Connected): string | null => (againId === null ? projectId : null)

interface Connected {
  readonly againId: string | null
  readonly projectId: string | null
}

type Starting = HandlerContext<unknown, unknown, SelfHostedStart>

/** What it connects again stays as it is. @throws Rejection 403 · 404 · 409 NOT_BY_SIGN_IN | TOO_MANY */
async function connectedBy({ run, caller, read, body }: Starting) {
  const { projectId = null, repositories = [], name, gitProviderId: againId = null } = body
  if (againId === null) {
    await refuseTooMany(read, await run((unit) => mustConnectProvider(unit, caller, projectId)))
    return { againId, projectId, name, repositories: repositories.join('\n') }
  }
  const known = await run(async (unit) => {
    const provider = await unit.look(gitProviders, againId)
    const { userId } = await userPrincipalOf(unit, caller)
    return provider?.ownerId === userId ? provider : found<never>(undefined)
  })
  if (!known.grant || known.kind !== body.kind || known.baseUrl !== body.baseUrl)
    reject('conflict', 'It was not connected by a sign-in at this address: connect another one', 'NOT_BY_SIGN_IN')
  return { againId, projectId: known.projectId, name: known.name, repositories: known.repositories }
}

/** @throws Rejection 400 ADDRESS_REFUSED · 403 · 404 · 409 TOO_MANY | NOT_BY_SIGN_IN · 429 */
export async function startSignIn(call: Starting): Promise<BegunSignIn> {
  const { run, caller, service, body } = call
  const { clientId: oauthClient, clientSecret, kind, baseUrl } = body
  const client = { kind, baseUrl, clientSecret }
  const connected = await connectedBy(call)
  await limited(call, STARTS)
  refuseLiteralAddress(client.baseUrl, service(gitReach))
  const panelUrl = await panelUrlOf(call)
  const redirectUri = panelUrl + CALLBACK_PATH
  const [state, browser, verifier] = [newFlowSecret(), newFlowSecret(), newFlowSecret()]
  const flowId = await run(async (unit) => {
    const gitFlowId = unit.newId()
    await unit.decide(gitFlows, gitFlowId, 'Redirect', {
      ...client,
      ...connected,
      oauthClient,
      gitFlowId,
      ownerId: await mustConnectProvider(unit, caller, newlyShared(connected)),
      verifier,
      redirectUri,
      sessionId: userCallerOf(caller).sid,
      browserHash: hashSecret(browser),
      stateHash: hashSecret(state),
      expiresAt: new Date(unit.at.getTime() + FLOW_SECONDS * 1_000).toISOString(),
    })
    return gitFlowId
  })
  return {
    flowId,
    authorizationUrl: authorizationUrl({ ...client, clientId: oauthClient, redirectUri, state, verifier }),
    browserCookie: browserCookie(panelUrl, browser, FLOW_SECONDS),
  }
}

/** Lax: the provider, which is another site, sends the browser back. */
const browserCookie = (panelUrl: string, value: string, seconds: number): string =>
  cookie(panelUrl, COOKIE, { value, path: CALLBACK_PATH, seconds, sameSite: 'Lax' })

type Returning = HandlerContext<unknown, CallbackQuery>

export interface EndedSignIn {
  /** For the page that shows how it went. */
  readonly word: 'connected' | 'other-account' | 'failed'
  readonly panelUrl: string
  /** Takes the cookie away: the value of Set-Cookie. */
  readonly expiredCookie: string
}

/**
 * The browser is told of another account, which it comes to only with a state and a cookie of its own. Else it is not told what
 * went wrong: this address is public.
 * @throws Rejection 429
 */
export async function finishSignIn(call: Returning): Promise<EndedSignIn> {
  await enforceLimitByBlock(call, RETURNS)
  await forgetIdleAttempts(call, RETURNS)
  const panelUrl = await panelUrlOf(call)
  const browser = call.cookie(cookieName(COOKIE, panelUrl))
  const word = await connectReturned(call, browser).then(
    () => 'connected' as const,
    (error: unknown) => {
      if (!(error instanceof Rejection)) throw error
      return isOtherAccount(error) ? ('other-account' as const) : ('failed' as const)
    },
  )
  return { word, panelUrl, expiredCookie: browserCookie(panelUrl, '', 0) }
}

const isOtherAccount = (error: unknown): boolean => error instanceof Rejection && error.code === 'OTHER_ACCOUNT'

interface ReturnedFlow extends GitFlow {
  readonly redirect: NonNullable<GitFlow['redirect']>
}

const rejectFlow = (): never => reject('conflict', 'This sign-in cannot go on: begin again', 'FLOW_REFUSED')

/** @throws Rejection for every reason */
async function connectReturned(call: Returning, browser: string | undefined): Promise<void> {
  const { state } = call.query
  if (state === undefined || browser === undefined) return rejectFlow()
  const flow = await flowOfState(call, state)
  const actor: Actor = { type: 'USER', id: flow.ownerId }
  // The state is used up before the provider is asked: of two that come back at once, one goes on.
  await call.run((unit) => unit.decide(gitFlows, flow.id, 'Return', { browserHash: hashSecret(browser) }), actor)
  try {
    await connectFlow(call, flow, actor)
  } catch (error) {
    await end(call, flow, actor, endOf(call.query, error))
    throw error
  }
}

const endOf = (query: CallbackQuery, error: unknown): FlowEnd['outcome'] => {
  if (query.error === 'access_denied') return 'DENIED'
  return isOtherAccount(error) ? 'OTHER_ACCOUNT' : 'FAILED'
}

async function flowOfState({ run }: Returning, state: string): Promise<ReturnedFlow> {
  const flow = await run(async (unit) => {
    const flowId = await unit.holderOf(STATE_SCOPE, hashSecret(state))
    return flowId === undefined ? undefined : unit.look(gitFlows, flowId)
  }, ANONYMOUS_ACTOR)
  return flow?.redirect ? { ...flow, redirect: flow.redirect } : rejectFlow()
}

const end = ({ run }: Returning, { id }: GitFlow, actor: Actor, outcome: FlowEnd['outcome']): Promise<unknown> =>
  run((unit) => unit.decide(gitFlows, id, 'End', { outcome, gitProviderId: null }), actor)

/** The provider, its grant and the end of the flow are one append. The account and its session are read again. */
async function connectFlow(call: Returning, flow: ReturnedFlow, actor: Actor): Promise<void> {
  const { run, read, query, service, waitFor } = call
  const { id: flowId, ownerId: accountId, projectId, name, repositories, redirect } = flow
  const { sessionId, kind, baseUrl, oauthClient, clientSecret, againId } = redirect
  const session = { accountId, sessionId }
  if (query.code === undefined || query.error !== undefined || isOtherIssuer(query.iss, redirect)) return rejectFlow()
  const sharedWith = newlyShared({ againId, projectId })
  const by = await run((unit) => mustConnectProviderIn(unit, session, sharedWith), actor)
  if (againId === null) await refuseTooMany(read, by)
  const { code } = query
  // A browser that leaves now would lose what the provider gives once.
  const reaching = { reach: service(gitReach), signal: UNABORTED }
  const tokens =
    (await waitFor(() => exchangeCode({ ...redirect, clientId: oauthClient }, { ...redirect, code }, reaching))) ??
    rejectFlow()
  const given = { kind, baseUrl, username: null, token: tokens.token }
  const forge = found(forgeOf({ service, abortSignal: UNABORTED }, { ...given, account: null }))
  const account = await waitFor(() => forge.account())
  await run(async (unit) => {
    const ownerId = await mustConnectProviderIn(unit, session, sharedWith)
    const grant = { oauthClient, clientSecret, ...grantOf(tokens, unit.at) }
    const gitProviderId = againId ?? unit.newId()
    if (againId === null) {
      const provider = { ...given, account, gitProviderId, ownerId, projectId, name, repositories }
      await unit.decide(gitProviders, gitProviderId, 'Connect', provider)
      await unit.decide(gitProviders, gitProviderId, 'Grant', grant)
    } else await unit.decide(gitProviders, gitProviderId, 'GrantAgain', { ...grant, token: given.token, account })
    await unit.decide(gitFlows, flowId, 'End', { outcome: 'AUTHORIZED', gitProviderId })
  }, actor)
}
