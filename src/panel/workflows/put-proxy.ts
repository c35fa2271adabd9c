/** Tells the proxy of a server what leads to an application. */
import { proxyPut } from '../../tasks/proxy.ts'
import type { Application } from '../applications/decider.ts'
import { fragmentOf } from '../applications/proxy-fragment.ts'
import { applicationReleases } from '../applications/release/decider.ts'
import type { Deployment } from '../deployments/decider.ts'
import { planIn } from '../deployments/plan.ts'
import { aboutOf, deployedOf, queueStep } from './deploying.ts'
import type { Deploying } from './deploying.ts'

interface Switch {
  readonly application: Application
  readonly deployment: Deployment
  /** Whose containers get the requests. Null: none of them. */
  readonly release: string | null
}

/** @returns false if the proxy has nothing to know of it */
export async function putProxy(deploying: Deploying, { application, deployment, release }: Switch): Promise<boolean> {
  const { unit, installation } = deploying
  const { isProxied } = await unit.load(applicationReleases, application.id)
  const leads = fragmentOf(application, deployment.plan === null ? undefined : planIn(deployment.plan))
  const isEmpty = leads.backends.length === 0
  if (isEmpty && !isProxied) return false
  await unit.decide(applicationReleases, application.id, 'Proxy', { about: aboutOf(application), isEmpty })
  const { proxyRevision: revision } = await unit.load(applicationReleases, application.id)
  const payload = { installation, owner: deployedOf(application.id), revision, release, ...leads }
  await queueStep(deploying, { deployment, kind: proxyPut, payload })
  return true
}
