/** Tells the proxy of a server what leads to an application or a preview. */
import { proxyPut } from '../../tasks/proxy.ts'
import type { ProxyFragment } from '../../tasks/proxy.ts'
import { queueTask, taskIdFor } from '../agent/queue-task.ts'
import type { TaskCause } from '../agent/queue-task.ts'
import type { Place } from '../applications/place.ts'
import { fragmentOf } from '../applications/proxy-fragment.ts'
import type { ReleasePlan } from '../applications/release-plan.ts'
import { applicationReleases } from '../applications/release/decider.ts'
import { deployments } from '../deployments/decider.ts'
import { mainServiceOf, planIn } from '../deployments/plan.ts'
import { turnOf } from '../deployments/running.ts'
import { releaseAboutOf } from './deploying.ts'
import type { Deploying } from './deploying.ts'

interface Switch {
  readonly place: Place
  /** Of the release. */
  readonly plan: ReleasePlan | undefined
  /** The deployment whose containers get the requests. Null: none of them. */
  readonly release: string | null
  readonly cause: TaskCause
}

/** @returns false if the proxy has nothing to know of it */
export async function putProxy(deploying: Deploying, { cause, ...of }: Switch): Promise<boolean> {
  const { fragment, isNeeded } = await nextFragment(deploying, of)
  if (!isNeeded) return false
  await tell(deploying, of.place, fragment, cause)
  return true
}

type Next = Awaited<ReturnType<typeof nextFragment>>

/** For a task that switches itself. Until it has, and if it fails, the proxy knows what it knew. */
export const takeFragment = async (deploying: Deploying, of: Omit<Switch, 'cause'>) =>
  take(deploying, of.place, await nextFragment(deploying, of))

/** As `takeFragment`. Undefined: the proxy has nothing to know of it. */
export async function takeNeededFragment(deploying: Deploying, of: Omit<Switch, 'cause'>) {
  const next = await nextFragment(deploying, of)
  return next.isNeeded ? take(deploying, of.place, next) : undefined
}

async function take({ unit }: Deploying, place: Place, { fragment, isNeeded }: Next) {
  await unit.decide(applicationReleases, place.workload.id, 'Proxy', {
    about: releaseAboutOf(place),
    isEmpty: !isNeeded,
  })
  const { release: _release, ...rest } = fragment
  return rest
}

async function nextFragment(deploying: Deploying, { place, plan, release }: Omit<Switch, 'cause'>) {
  const { unit, installation, appsDomain } = deploying
  const { isProxied, proxyRevision } = await unit.load(applicationReleases, place.workload.id)
  const fragment = fragmentOf({
    application: place,
    installation,
    appsDomain,
    revision: proxyRevision + 1,
    release,
    services: plan?.services ?? [],
    service: plan && mainServiceOf(plan).name,
  })
  return { fragment, isNeeded: fragment.backends.length > 0 || isProxied }
}

/** Requests go on to the release that has them, or is about to. Without one, nothing leads anywhere. */
export async function putRelease(deploying: Deploying, place: Place, cause: TaskCause): Promise<void> {
  const { unit } = deploying
  const { workload, serverId } = place
  const { runningId, isProxied } = await unit.look(applicationReleases, workload.id)
  const turn = await turnOf(unit, { id: workload.id, serverId })
  // The proxy was told of what switches, before the panel has heard that it has the requests.
  const release = turn?.state === 'SWITCHING' ? turn.id : runningId
  const plan = release === null ? undefined : (await unit.look(deployments, release))?.plan
  if (plan) await putProxy(deploying, { place, plan: planIn(plan), release, cause })
  // What starts knows what led to it before: its switch is told by this that something else does now.
  else if (turn)
    await unit.decide(applicationReleases, workload.id, 'Proxy', { about: releaseAboutOf(place), isEmpty: !isProxied })
}

async function tell({ unit }: Deploying, place: Place, payload: ProxyFragment, cause: TaskCause): Promise<void> {
  const { workload, serverId, projectId } = place
  const isEmpty = payload.backends.length === 0
  await unit.decide(applicationReleases, workload.id, 'Proxy', { about: releaseAboutOf(place), isEmpty })
  await queueTask(unit, proxyPut, { taskId: taskIdFor(cause, proxyPut), serverId, projectId, payload, cause })
}
