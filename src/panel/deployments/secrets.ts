/** What the tasks of deployments need and no event of them says, read when they are handed out. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { found, reject } from '#kernel/lib/rejection'
import type { HiddenValues } from '../../tasks/applications.ts'
import { gitFetch } from '../../tasks/builds.ts'
import type { BuildSecrets, FetchSecrets, PullSecrets } from '../../tasks/builds.ts'
import type { ReleaseSecrets } from '../../tasks/releases.ts'
import type { Task } from '../agent/decider.ts'
import type { AskedKind } from '../agent/kinds.ts'
import { applications } from '../applications/decider.ts'
import { variablesAt, variablesFor } from '../applications/env/effective.ts'
import { hiddenIn } from '../applications/logs/hidden.ts'
import { placeAt } from '../applications/place.ts'
import type { Place } from '../applications/place.ts'
import type { PlannedService } from '../applications/release-plan.ts'
import { gitProviders } from '../git-providers/decider.ts'
import type { GitKind } from '../git-providers/events.ts'
import { gitReach } from '../git-providers/forges.ts'
import { isEnded } from '../git-providers/renewal-rules.ts'
import { registries } from '../registries/decider.ts'
import { deployments } from './decider.ts'
import type { Deployment } from './decider.ts'
import { planIn } from './plan.ts'

type Secrets = NonNullable<AskedKind['secrets']>
type Call = Parameters<Secrets>[1]

interface Subject {
  readonly deployment: Deployment
  readonly place: Place
}

/** @throws Rejection 409 OVER: the deployment has ended, and nothing of it is told any more */
async function subjectOf(unit: UnitOfWork, { causeId }: Task): Promise<Subject> {
  const deployment = found(await unit.look(deployments, causeId))
  return { deployment, place: found(await placeAt(unit, deployment)) }
}

const reading = <Result>(
  { run }: Call,
  task: Task,
  read: (unit: UnitOfWork, subject: Subject) => Promise<Result>,
): Promise<Result> => run(async (unit) => read(unit, await subjectOf(unit, task)))

export const pullSecrets = (task: Task, call: Call): Promise<PullSecrets> =>
  reading(call, task, async (unit, { place }) => ({ registry: await loginOf(unit, place) }))

/** Null for a source without a registry, and for one whose registry has no address yet. */
async function loginOf(unit: UnitOfWork, { source }: Place): Promise<PullSecrets['registry']> {
  if (source.kind !== 'IMAGE' || source.registryId === null) return null
  const registry = await unit.look(registries, source.registryId)
  if (!registry?.address)
    return reject('conflict', 'The registry of the application was removed, or does not serve yet', 'NO_REGISTRY')
  const { address, username, password } = registry
  return { address, username, password }
}

/** That goes with the token of a provider, where its account names none. */
const USERNAMES: Readonly<Record<GitKind, string>> = {
  GITHUB: 'x-access-token',
  GITLAB: 'oauth2',
  GITEA: 'git',
  BITBUCKET: 'x-token-auth',
  GENERIC: 'git',
  SSH: 'git',
}

/** The task keeps the address that it was asked with: credentials that were given for another one are not for it. */
async function cloneLogin(unit: UnitOfWork, { source }: Place, payload: string): Promise<FetchSecrets['login']> {
  if (source.kind !== 'GIT' || gitFetch.payload.parse(JSON.parse(payload)).url !== source.url)
    return reject('conflict', 'The source of the application was changed: deploy it again', 'SOURCE_CHANGED')
  if (source.providerId === null) return { kind: 'NONE' }
  const provider = await unit.look(gitProviders, source.providerId)
  if (!provider) return reject('conflict', 'The git provider of the application was removed', 'NO_PROVIDER')
  const { kind, token, username, hostKey, grant, isRefused } = provider
  if (grant && isEnded(grant, unit.at)) {
    if (isRefused)
      reject('conflict', 'The git provider refuses to renew its token: connect it again', 'PROVIDER_REFUSED')
    // A worker renews it, so the task is handed out a little later.
    reject('unavailable', 'The token of the git provider is being renewed')
  }
  if (kind === 'SSH') return { kind: 'KEY', privateKey: token, hostKey }
  return { kind: 'PASSWORD', username: username ?? USERNAMES[kind], password: token }
}

export const fetchSecrets = (task: Task, call: Call): Promise<FetchSecrets> =>
  reading(call, task, async (unit, { place }) => ({
    login: await cloneLogin(unit, place, task.payload),
    allow: [...(call.service(gitReach).allow ?? [])],
  }))

/** What its source itself says is replaced by the variables of the application. */
const environmentOf = (
  { name: service, environment, port }: PlannedService,
  variables: readonly { readonly name: string; readonly value: string }[],
) => {
  const all = new Map<string, string>(port === null ? [] : [['PORT', String(port)]])
  for (const { name, value } of [...environment, ...variables]) all.set(name, value)
  return [...all].map(([name, value]) => ({ service, name, value }))
}

/** Reserved: variables of the application with these names are not used. */
const RESERVED = 'DAYBOOK_'

function aboutIt({ id, applicationId, environmentId, fetched }: Deployment, { preview }: Place) {
  return [
    { name: 'DAYBOOK_APPLICATION_ID', value: applicationId },
    { name: 'DAYBOOK_DEPLOYMENT_ID', value: id },
    { name: 'DAYBOOK_ENVIRONMENT_ID', value: environmentId },
    ...(fetched ? [{ name: 'DAYBOOK_COMMIT', value: fetched.commit }] : []),
    ...(preview ? [{ name: 'DAYBOOK_PULL_REQUEST', value: String(preview.pullRequest) }] : []),
  ]
}

export const releaseSecrets = (task: Task, call: Call): Promise<ReleaseSecrets> =>
  reading(call, task, async (unit, { deployment, place }) => {
    const all = await variablesAt(unit, place, found(deployment.variables ?? undefined))
    const variables = all
      .filter(({ inEffect, when, name }) => inEffect && when !== 'BUILD' && !name.startsWith(RESERVED))
      .map(({ name, value }) => ({ name, value }))
    const { services } = planIn(found(deployment.plan ?? undefined))
    return {
      env: services.flatMap((service) => environmentOf(service, [...variables, ...aboutIt(deployment, place)])),
      commands: services.map(({ name, command, health }) => ({ service: name, command, health: health.command })),
    }
  })

/** What its containers may not be heard to say. A task that outlives its application goes on: its log is read by no route. */
export const retireSecrets = (task: Task, { run }: Call): Promise<HiddenValues> =>
  run(async (unit) => {
    const deployment = await unit.look(deployments, task.causeId)
    const application = deployment && (await unit.look(applications, deployment.applicationId))
    if (!application) return { values: [] }
    // A preview has no shared variables, and those of the application hide too much at most.
    return { values: [...(await hiddenIn(unit, application, { of: deployment })).values] }
  })

export const buildSecrets = (task: Task, call: Call): Promise<BuildSecrets> =>
  reading(call, task, async (unit, { deployment, place }) => {
    const { service } = JSON.parse(task.payload) as { readonly service: string }
    const build = found(planIn(found(deployment.plan ?? undefined)).builds.find((each) => each.service === service))
    const variables = (await variablesFor(unit, place)).filter(({ inEffect, when }) => inEffect && when !== 'RUN')
    const login = await loginOf(unit, place)
    const plain = variables.filter(({ secret }) => !secret).map(({ name, value }) => ({ name, value }))
    return {
      dockerfile: build.dockerfileText,
      args: [...build.args, ...plain],
      secrets: variables.filter(({ secret }) => secret).map(({ name, value }) => ({ name, value })),
      registries: login ? [login] : [],
    }
  })
