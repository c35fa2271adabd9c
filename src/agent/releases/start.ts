/** Starts the containers of a deployment. All are healthy in the end, or none is left. */
import { z } from 'zod'
import { SWITCH_MS } from '../../tasks/proxy.ts'
import { releaseStart } from '../../tasks/release-start.ts'
import { ReleaseSecrets } from '../../tasks/releases.ts'
import type { Release, ReleaseContainer } from '../../tasks/releases.ts'
import { askEngine, GONE } from '../engine/ask-engine.ts'
import type { AskEngine } from '../engine/ask-engine.ts'
import { performer, TaskFailure } from '../performer.ts'
import type { Performer, Work } from '../performer.ts'
import { withCommands } from './commands.ts'
import { containersWith, look, removeContainer, setRestart } from './containers.ts'
import { ContainerFailure, running, untilHealthy } from './health.ts'
import type { ReleaseHost } from './host.ts'
import { inOrder } from './in-order.ts'
import { logTail } from './log-tail.ts'
import { imageGone, makeVolumes, refuseMissingImages, sliceOn } from './needs.ts'
import { free, place } from './networks.ts'
import type { Placed } from './networks.ts'
import { containerName, containerOf, labelsOfDeployment, ownerOf, ownersOf, replicasOf } from './template.ts'
import type { Replica } from './template.ts'
import { variableValues } from './variable-values.ts'

const MAKE_MS = 60_000
const UNDO_MS = 60_000
const LAST_LINES = 200
const LAST_BYTES = 256 * 1_024
const [FORBIDDEN, CONFLICT, NOT_MODIFIED] = [403, 409, 304]
/** Of a command that cannot be run, and of one that is not there, as the engine tells it. */
const NO_COMMAND = [126, 127]

export const startPerformer = (host: ReleaseHost): Performer =>
  performer(releaseStart, (work) => startRelease(host, work, switchOf(host, work)), { redacts: variableValues })

/** What leads requests to the containers once all are healthy. */
interface Switch {
  /** Whether an earlier attempt has begun it. Requests may go to the containers then. */
  readonly hasBegun: boolean
  /** Until then all can be undone. @throws when the task is cancelled */
  mayBegin(): Promise<boolean>
  begin(): Promise<void>
}

const SWITCH = 'switch'

function switchOf(host: ReleaseHost, work: Work<Start>): Switch | undefined {
  const { fragment, deploymentId: release } = work.payload
  if (!fragment) return undefined
  const hasBegun = work.made.has(SWITCH)
  return {
    hasBegun,
    mayBegin: async () => hasBegun || (await work.mayCommit()),
    async begin() {
      if (!hasBegun) await work.note(SWITCH, release)
      await host.proxy.put({ ...fragment, release }, AbortSignal.timeout(SWITCH_MS))
      // It is done, whether or not that can be told.
      await work.say('New requests go to the new containers', 'STEP').catch(() => {})
    },
  }
}

type Start = z.output<typeof releaseStart.payload>

export type StartWork<Payload extends Release> = Pick<
  Work<Payload>,
  'taskId' | 'payload' | 'secrets' | 'signal' | 'say' | 'write'
>

interface Started {
  readonly containers: ReleaseContainer[]
  /** Absent without a switch. */
  readonly switched?: boolean
}

/** @throws TaskFailure after all of its containers are removed, unless the switch has begun: then the panel removes them */
export async function startRelease(host: ReleaseHost, work: StartWork<Release>, toSwitch?: Switch): Promise<Started> {
  let isSwitching = toSwitch?.hasBegun ?? false
  try {
    work.signal.throwIfAborted()
    const { containers, switched } = await startAll(host, work, async () => (await toSwitch?.mayBegin()) ?? false)
    if (!toSwitch) return { containers }
    isSwitching ||= switched
    if (switched) await toSwitch.begin()
    return { containers, switched }
  } catch (error) {
    const undone = isSwitching ? undefined : removeDeployment(host, work.payload)
    // What has failed first is the reason.
    await undone?.catch(() => {})
    throw error
  }
}

/** Of one deployment, with its addresses. */
export async function removeDeployment(
  host: ReleaseHost,
  of: Pick<Release, 'installation' | 'workload' | 'deploymentId'>,
): Promise<void> {
  const signal = AbortSignal.timeout(UNDO_MS)
  const ask = askEngine(host.call, signal)
  const all = await containersWith(ask, labelsOfDeployment(of))
  await Promise.all(all.map(({ Id }) => removeContainer(ask, Id)))
  await free(host, of.installation, (owner) => owner.startsWith(ownersOf(of)), signal)
}

interface Starting {
  readonly host: ReleaseHost
  readonly work: StartWork<Release>
  /** Its calls end with the task. */
  readonly ask: AskEngine
  /** Its calls do not: what they made would not be found. */
  readonly make: AskEngine
  readonly placed: Placed
  readonly slice: Promise<string | undefined>
  /** `NAME=value` */
  envOf(service: string): string[]
}

async function startAll(host: ReleaseHost, given: StartWork<Release>, maySwitch: () => Promise<boolean>) {
  const secrets = ReleaseSecrets.parse(given.secrets ?? { env: [] })
  const work = { ...given, payload: withCommands(given.payload, secrets) }
  const { payload, signal } = work
  const ask = askEngine(host.call, signal)
  const make: AskEngine = (...asked) => askEngine(host.call, AbortSignal.timeout(MAKE_MS))(...asked)
  const replicas = payload.services.flatMap(replicasOf)
  // The engine takes longer for what it tells of itself than for all else.
  const slice = sliceOn(ask)
  const placed = await prepare({ host, payload, ask, signal }, replicas)
  const envOf = (of: string) =>
    secrets.env.flatMap(({ service, name, value }) => (service === of ? `${name}=${value}` : []))
  const starting: Starting = { host, work, ask, make, placed, slice, envOf }
  await removeOthers(ask, payload, replicas)
  try {
    const started = await inOrder(replicas.map(stepOf(payload)), ({ of }, failed) => {
      const both = AbortSignal.any([signal, failed])
      return startReplica({ ...starting, ask: askEngine(host.call, both) }, of, both)
    })
    await allRunning(ask, started)
    const [kept, asked] = await Promise.allSettled([keepRunning(make, started), maySwitch()])
    if (kept.status === 'rejected') throw kept.reason
    if (asked.status === 'rejected') throw asked.reason
    return { containers: started, switched: asked.value }
  } catch (error) {
    if (error instanceof ContainerFailure && !signal.aborted) await tellLast(host, work, error)
    throw error
  }
}

interface Preparing extends Pick<StartWork<Release>, 'payload' | 'signal'> {
  readonly host: ReleaseHost
  readonly ask: AskEngine
}

/** What the containers need is there. */
async function prepare({ host, payload, ask, signal }: Preparing, replicas: readonly Replica[]): Promise<Placed> {
  await refuseMissingImages(ask, payload)
  await makeVolumes(ask, payload)
  const owners = replicas.map((each) => ownerOf(payload, each))
  return place(host, payload, owners, signal)
}

const wordsOf = ({ service, replica }: Replica): string => `${service.name} ${replica}`

/** A replica waits for all replicas of the services that its own depends on. */
const stepOf = ({ services }: Release) => {
  const namesOf = (name: string) =>
    services
      .filter((each) => each.name === name)
      .flatMap(replicasOf)
      .map(wordsOf)
  return (of: Replica) => ({ name: wordsOf(of), dependsOn: of.service.dependsOn.flatMap(namesOf), of })
}

/** What an earlier process has made and this release does not name. */
async function removeOthers(ask: AskEngine, release: Release, replicas: readonly Replica[]): Promise<void> {
  const wanted = replicas.map((each) => `/${containerName(release, each)}`)
  for (const { Id } of await containersWith(ask, labelsOfDeployment(release))) {
    const seen = await look(ask, Id)
    if (seen && !wanted.includes(seen.Name)) await removeContainer(ask, Id)
  }
}

async function startReplica(starting: Starting, of: Replica, signal: AbortSignal): Promise<ReleaseContainer> {
  const { work, ask, placed } = starting
  const address = placed.addresses.get(ownerOf(work.payload, of))!
  const words = wordsOf(of)
  const begunMs = performance.now()
  const adopted = await adoptable(starting, of, address)
  const id = adopted ?? (await makeReplica(starting, of, address))
  await work.say(`${words} ${adopted === undefined ? 'is started' : 'runs already'} at ${address}`, 'STEP')
  await untilHealthy(ask, { id, of: words, address, service: of.service }, signal)
  const healthyMs = Math.round(performance.now() - begunMs)
  await work.say(`${words} is healthy after ${healthyMs} ms`, 'STEP')
  return { service: of.service.name, replica: of.replica, containerId: id, address, healthyMs }
}

/** @returns the container that an earlier process has made and started, as it would be made now; any other one is removed */
async function adoptable(starting: Starting, of: Replica, address: string): Promise<string | undefined> {
  const { ask, work, placed, envOf } = starting
  const seen = await look(ask, containerName(work.payload, of))
  if (!seen) return undefined
  const labels = Object.entries(labelsOfDeployment(work.payload))
  if (labels.some(([name, value]) => seen.Config.Labels?.[name] !== value))
    throw new TaskFailure('NAME_TAKEN', `Another container on the host has the name ${seen.Name.slice(1)}`)
  const isWanted =
    seen.State.Running &&
    seen.Image === of.service.imageId &&
    seen.NetworkSettings.Networks[placed.network]?.IPAMConfig?.IPv4Address === address &&
    envOf(of.service.name).every((each) => seen.Config.Env?.includes(each))
  if (isWanted) return seen.Id
  await removeContainer(ask, seen.Id)
  return undefined
}

const Made = z.object({ Id: z.string() })

async function makeReplica(starting: Starting, of: Replica, address: string): Promise<string> {
  const { work, make, placed, slice, envOf } = starting
  const { payload: release, taskId, signal } = work
  const { network } = placed
  const body = containerOf({
    ...of,
    release,
    taskId,
    network,
    address,
    env: envOf(of.service.name),
    slice: await slice,
  })
  const path = `/containers/create?name=${containerName(release, of)}`
  let made = await make('POST', path, [GONE, CONFLICT], body)
  // An engine that was asked by a process that was killed goes on.
  if (made.status === CONFLICT) {
    await adoptable({ ...starting, envOf: () => ['='] }, of, address)
    made = await make('POST', path, [GONE], body)
  }
  if (made.status === GONE) throw imageGone(of.service.imageId)
  const { Id: id } = Made.parse(made.body)
  signal.throwIfAborted()
  const answer = await make('POST', `/containers/${id}/start`, [NOT_MODIFIED, 400, FORBIDDEN, GONE, CONFLICT, 500])
  if (answer.status >= 300 && answer.status !== NOT_MODIFIED)
    throw await notStarted(make, { id, of: wordsOf(of) }, answer)
  return id
}

const Refusal = z.object({ message: z.string() })

/** The engine's own words name files of the host. */
async function notStarted(
  ask: AskEngine,
  which: { id: string; of: string },
  { status, body }: Awaited<ReturnType<AskEngine>>,
): Promise<TaskFailure> {
  const words = Refusal.safeParse(body).data?.message ?? ''
  if (/port is already allocated|address already in use/i.test(words))
    return new TaskFailure('PORT_IN_USE', `Another container or program of the host has a port of ${which.of}`)
  if (/cannot assign requested address/i.test(words))
    return new TaskFailure('NOT_AN_ADDRESS_HERE', `The host does not have the address of a port of ${which.of}`)
  if (status === FORBIDDEN) return new TaskFailure('NO_ADDRESS', `Another container has the address of ${which.of}`)
  const code = (await look(ask, which.id))?.State.ExitCode ?? 0
  if (NO_COMMAND.includes(code))
    return new ContainerFailure('EXITED', which, `ended with exit code ${code}: its image cannot run its command`)
  return new TaskFailure(
    'ENGINE_REFUSED',
    `The engine answered ${status} to the start of ${which.of}: its log says why`,
  )
}

/** Until now. */
async function allRunning(ask: AskEngine, started: readonly ReleaseContainer[]): Promise<void> {
  const whole = started.map(({ containerId: id, service, replica }) => ({ id, of: `${service} ${replica}` }))
  await Promise.all(whole.map((each) => running(ask, each)))
}

/** They are started again from now on, whenever they end or the engine starts. */
async function keepRunning(make: AskEngine, started: readonly ReleaseContainer[]): Promise<void> {
  await Promise.all(started.map(({ containerId }) => setRestart(make, containerId, 'always')))
}

/** Of the container that has failed. */
async function tellLast(host: ReleaseHost, work: StartWork<Release>, { containerId, of }: ContainerFailure) {
  await work.say(`The last lines of ${of}:`, 'STEP')
  const tail = { lines: LAST_LINES, bytesMax: LAST_BYTES }
  const pieces = await logTail(host, containerId, tail, AbortSignal.timeout(UNDO_MS)).catch(() => [])
  for (const { of: stream, bytes } of pieces) await work.write(stream, bytes.toString())
}
