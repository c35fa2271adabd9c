/** Connects GitHub by its device flow. */
import type { CallerLimit } from '#kernel/auth/caller-limits'
import type { HandlerContext } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { settingOf } from '#projections/panel/settings'
import { userCallerOf } from '../../access/user-caller.ts'
import { pollDeviceFlow, startDeviceFlow } from '../../adapters/git/github-device.ts'
import { mustConnectProvider } from '../../workflows/git-providers.ts'
import { refuseTooMany } from '../connect.ts'
import { gitProviders } from '../decider.ts'
import { forgeOf, gitHubHost, gitReach } from '../forges.ts'
import { KINDS } from '../kinds.ts'
import { gitFlows, knownEnd } from './decider.ts'
import type { FlowEnd, GitFlow } from './decider.ts'
import { limited, STARTS } from './limits.ts'

const POLLS: CallerLimit = { name: 'git-flow-poll', windowMax: 60, windowSeconds: 60 }

const GITHUB = { kind: 'GITHUB', baseUrl: KINDS.GITHUB.baseUrl!, username: null } as const

type Call = Pick<HandlerContext, 'run' | 'caller' | 'read' | 'service' | 'abortSignal' | 'waitFor' | 'telemetry'>

/** @throws Rejection 409 NOT_CONFIGURED */
async function connectionOf({ read, service, abortSignal: signal }: Call) {
  const clientId = await settingOf(read, 'gitHubClientId')
  if (clientId === '')
    reject(
      'conflict',
      'An administrator must set gitHubClientId first: it names an OAuth app of GitHub',
      'NOT_CONFIGURED',
    )
  return { web: service(gitHubHost).web, reach: service(gitReach), signal, clientId }
}

interface FlowStart {
  readonly name: string
  readonly projectId?: string | undefined
  readonly repositories?: readonly string[] | undefined
}

/** @throws Rejection 403 · 404 · 409 NOT_CONFIGURED · PROVIDER_REFUSED · PROVIDER_UNREACHABLE · TOO_MANY · 429 */
export async function startFlow(call: Call, { name, projectId: shared, repositories = [] }: FlowStart) {
  const projectId = shared ?? null
  const { run, caller, read, waitFor } = call
  await limited(call, STARTS)
  await refuseTooMany(read, await run((unit) => mustConnectProvider(unit, caller, projectId)))
  const connection = await connectionOf(call)
  const { deviceCode: code, expiresInSeconds, ...shown } = await waitFor(() => startDeviceFlow(connection))
  const gitFlowId = await run(async (unit) => {
    const flowId = unit.newId()
    await unit.decide(gitFlows, flowId, 'Start', {
      gitFlowId: flowId,
      ownerId: await mustConnectProvider(unit, caller, projectId),
      projectId,
      name,
      repositories: repositories.join('\n'),
      code,
      intervalSeconds: shown.intervalSeconds,
      expiresAt: new Date(unit.at.getTime() + expiresInSeconds * 1_000).toISOString(),
    })
    return flowId
  })
  return { flowId: gitFlowId, ...shown }
}

type FlowState =
  | { readonly state: 'PENDING'; readonly intervalSeconds: number }
  | { readonly state: FlowEnd['outcome']; readonly gitProviderId: string | null }

const ended = ({ outcome: state, gitProviderId }: FlowEnd): FlowState => ({ state, gitProviderId })

/** @throws Rejection 404 for a flow that another account has begun · 409 · 429 */
export async function pollFlow(call: Call & Pick<HandlerContext, 'now'>, flowId: string): Promise<FlowState> {
  const { run, caller, now, waitFor } = call
  await limited(call, POLLS)
  const { userId } = userCallerOf(caller)
  const flow = found(await run((unit) => unit.look(gitFlows, flowId)))
  const { device } = flow
  if (flow.ownerId !== userId || !device) return found<never>(undefined)
  const known = knownEnd(flow, now)
  if (known) return endFlow(call, flow, known)
  const connection = await connectionOf(call)
  const poll = await waitFor(() => pollDeviceFlow(connection, device.code))
  if (poll.state === 'PENDING') {
    const { intervalSeconds } = device
    return { state: 'PENDING', intervalSeconds: Math.max(poll.intervalSeconds ?? 0, intervalSeconds) }
  }
  if (poll.state !== 'AUTHORIZED') return endFlow(call, flow, { outcome: poll.state, gitProviderId: null })
  const { token } = poll
  const forge = forgeOf(call, { ...GITHUB, token, account: null })!
  return connectFlow(call, flow, { token, account: await waitFor(() => forge.account()) })
}

const endFlow = ({ run }: Call, { id }: GitFlow, end: FlowEnd): Promise<FlowState> =>
  run(async (unit) => {
    await unit.decide(gitFlows, id, 'End', end)
    return ended((await unit.load(gitFlows, id))!.end!)
  })

/** GitHub gives the token once. The provider and the end of the flow are one append. */
const connectFlow = (
  { run, caller }: Call,
  { id, projectId, name, repositories }: GitFlow,
  credentials: { readonly token: string; readonly account: string },
): Promise<FlowState> =>
  run(async (unit) => {
    const ownerId = await mustConnectProvider(unit, caller, projectId)
    const { end } = found(await unit.load(gitFlows, id))
    if (end) return ended(end)
    const gitProviderId = unit.newId()
    const provider = { ...GITHUB, ...credentials, gitProviderId, ownerId, projectId, name, repositories }
    await unit.decide(gitProviders, gitProviderId, 'Connect', provider)
    const authorized: FlowEnd = { outcome: 'AUTHORIZED', gitProviderId }
    await unit.decide(gitFlows, id, 'End', authorized)
    return ended(authorized)
  })
