/**
 * Puts a new container in the place of the panel's, or the old one back. The panel is down meanwhile and hands nothing
 * out again, so what is to be done stands in a file: an agent that starts goes on by it. The old container stays until
 * the new one serves.
 */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { LABELS } from '../../tasks/labels.ts'
import { PanelReplaced } from '../../tasks/panel-update.ts'
import type { EngineCall } from '../engine-call.ts'
import { askEngine, GONE } from '../engine/ask-engine.ts'
import type { AskEngine } from '../engine/ask-engine.ts'
import { refusedImage } from '../engine/image-archive.ts'
import { TaskFailure } from '../performer.ts'
import { writeSecretFile } from '../secret-file.ts'
import { SeenContainer, SeenImage, successorOf } from './configuration.ts'
import type { NewContainer } from './configuration.ts'
import { IMAGE_VARIABLE, RELEASE_VARIABLE, setVariables } from './environment-file.ts'
import { becomesReady } from './readiness.ts'

const FILE = 'panel-update.json'
const READY_MS = 90_000
/** Of one call of the engine. It waits for a container that it stops. */
const CALL_MS = 120_000
const STOP_SECONDS = 30
/** The engine may be restarted meanwhile, and then it is asked again for as long as it takes. */
const AGAIN_MS = 2_000
/** Of a step that the engine refuses. */
const TRIES_MAX = 30
const NOT_MODIFIED = 304

const Replacement = z.object({
  taskId: z.uuid(),
  oldId: z.string(),
  /** Of the old container, without its slash. */
  name: z.string(),
  restartPolicy: z.looseObject({ Name: z.string() }),
  image: z.string(),
  imageId: z.string(),
  /** Of the file of the image. */
  sha256: z.string(),
  /** `BACK`: the new one has failed. `KEEP`: it serves. */
  phase: z.enum(['FORWARD', 'BACK', 'KEEP']),
  failedAt: PanelReplaced.shape.step,
  outcome: PanelReplaced.nullable(),
})
export type Replacement = z.output<typeof Replacement>

export interface ReplacementHost {
  readonly call: EngineCall
  /** Of the agent. */
  readonly directory: string
  readonly readyMs?: number
  readonly againMs?: number
  /** Has no secrets. */
  say?(message: string): void
}

/** What is under way in this process, by the directory: the task that asked, and the start of the agent, share it. */
const underWay = new Map<string, Promise<PanelReplaced>>()

/** @returns undefined if there is none @throws Error for a damaged file */
export async function replacementIn(directory: string): Promise<Replacement | undefined> {
  const text = await readFile(join(directory, FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  return text === undefined ? undefined : Replacement.parse(JSON.parse(text))
}

const keep = (directory: string, known: Replacement) => writeSecretFile(join(directory, FILE), JSON.stringify(known))

/** @throws TaskFailure NOT_WRITTEN: nothing has begun */
export async function beginReplacement(host: ReplacementHost, begun: Replacement): Promise<PanelReplaced> {
  await keep(host.directory, begun).catch(() => {
    throw new TaskFailure('NOT_WRITTEN', 'The agent cannot note on its disk what it is about to do')
  })
  return finishReplacement(host)
}

/** The next update may begin. */
export const forgetReplacement = (directory: string) => rm(join(directory, FILE), { force: true })

/** Goes on with what is in the file, once at a time. @throws Error without a file */
export function finishReplacement(host: ReplacementHost): Promise<PanelReplaced> {
  const { directory } = host
  const running = underWay.get(directory) ?? finish(host).finally(() => underWay.delete(directory))
  underWay.set(directory, running)
  return running
}

/** Of an agent that starts: the panel that it would ask may be what is missing. */
export async function resumeReplacement(host: ReplacementHost): Promise<void> {
  const known = await replacementIn(host.directory)
  if (known && !known.outcome) await finishReplacement(host)
}

async function finish(host: ReplacementHost): Promise<PanelReplaced> {
  let known = (await replacementIn(host.directory))!
  let said = ''
  const say = (message: string): void => {
    if (message !== said) host.say?.((said = message))
  }
  // A full disk leaves no panel stopped. A process that is killed then is followed by one that begins at the last noted step.
  const advance = async (more: Partial<Replacement>) => {
    known = { ...known, ...more }
    await keep(host.directory, known).catch(() => say('the disk does not take how far the replacement of the panel is'))
  }
  for (let refusals = 0; !known.outcome;)
    try {
      const step = STEPS[known.phase]
      await advance(await step({ ...host, ask: patient(host.call) }, known))
    } catch (error) {
      say(`the panel is not replaced yet: ${error instanceof Error ? error.message : 'no reason given'}`)
      if (isPassing(error) || known.phase !== 'FORWARD') await pause(host.againMs ?? AGAIN_MS)
      else await advance({ phase: 'BACK', failedAt: 'START' })
      if (!isPassing(error)) refusals += 1
      if (refusals > TRIES_MAX) await advance({ outcome: givenUp(known) })
    }
  return known.outcome
}

/** What runs then is what the engine did last: an operator has to look. */
const givenUp = ({ phase, failedAt }: Replacement): PanelReplaced => ({
  step: phase === 'KEEP' ? 'READY' : failedAt,
  rolledBack: false,
})

const isPassing = (error: unknown): boolean =>
  error instanceof TaskFailure && ['ENGINE_DOWN', 'NO_ENGINE'].includes(error.code)

const patient =
  (call: EngineCall): AskEngine =>
  (...asked) =>
    askEngine(call, AbortSignal.timeout(CALL_MS))(...asked)

type Host = ReplacementHost & { readonly ask: AskEngine }

const STEPS: Readonly<Record<Replacement['phase'], (host: Host, known: Replacement) => Promise<Partial<Replacement>>>> =
  { FORWARD: goForward, BACK: goBack, KEEP: keepNew }

async function goForward(host: Host, known: Replacement): Promise<Partial<Replacement>> {
  const { ask, readyMs = READY_MS } = host
  const { oldId, name } = known
  const newId = await successorIn(host, known)
  await ask('POST', `/containers/${oldId}/update`, [], { RestartPolicy: { Name: 'no' } })
  await ask('POST', `/containers/${oldId}/stop?t=${STOP_SECONDS}`, [NOT_MODIFIED])
  await ask('POST', `/containers/${newId}/start`, [NOT_MODIFIED])
  host.say?.(`container ${name} was started with ${known.image}`)
  if (await becomesReady(ask, newId, readyMs)) return { phase: 'KEEP' }
  return { phase: 'BACK', failedAt: 'READINESS' }
}

/** Makes it under the name of the old one. @returns its id */
async function successorIn(host: Host, known: Replacement): Promise<string> {
  const { ask } = host
  const { oldId, name, image, taskId, imageId, sha256 } = known
  const old = SeenContainer.parse((await ask('GET', `/containers/${oldId}/json`)).body)
  const ofImage = SeenImage.parse((await ask('GET', `/images/${old.Image}/json`)).body)
  if (old.Name === `/${name}`) await ask('POST', `/containers/${oldId}/rename?name=${parkedName(known)}`)
  const present = await ownSuccessor(host, known)
  if (present && present.State.Status !== 'created') return present.Id
  // It may lack networks that it was to be connected to.
  if (present) await ask('DELETE', `/containers/${present.Id}?force=true`, [GONE])
  const id = await makeContainer(
    ask,
    name,
    successorOf({ ...old, HostConfig: withPolicy(old, known) }, ofImage, { image, taskId, sha256 }),
  )
  const made = SeenContainer.parse((await ask('GET', `/containers/${id}/json`)).body)
  if (made.Image !== imageId) throw refusedImage(`The engine has another image as ${image} now`)
  return id
}

/** An earlier process may have taken it from the old one. */
const withPolicy = (old: SeenContainer, { restartPolicy }: Replacement): SeenContainer['HostConfig'] => ({
  ...old.HostConfig,
  RestartPolicy: restartPolicy,
})

const parkedName = ({ name, taskId }: Replacement): string => `${name}-before-${taskId.slice(-12)}`

/** @returns undefined if there is none @throws TaskFailure NAME_TAKEN for a container that the update has not made */
async function ownSuccessor({ ask }: Host, { name, taskId, oldId }: Replacement): Promise<SeenContainer | undefined> {
  const { status, body } = await ask('GET', `/containers/${encodeURIComponent(name)}/json`, [GONE])
  if (status === GONE) return undefined
  const seen = SeenContainer.parse(body)
  if (seen.Id === oldId) return undefined
  if (seen.Config.Labels?.[LABELS.task] === taskId) return seen
  throw new TaskFailure('NAME_TAKEN', `Another container has the name ${name}`)
}

const Made = z.object({ Id: z.string() })

/** In all its networks. @returns its id */
export async function makeContainer(ask: AskEngine, name: string, { spec, networks }: NewContainer): Promise<string> {
  const { Id } = Made.parse((await ask('POST', `/containers/create?name=${name}`, [], spec)).body)
  for (const [network, endpoint] of networks.slice(1))
    await ask('POST', `/networks/${encodeURIComponent(network)}/connect`, [], {
      Container: Id,
      EndpointConfig: endpoint,
    })
  return Id
}

async function goBack(host: Host, known: Replacement): Promise<Partial<Replacement>> {
  const { ask } = host
  const { oldId, name, restartPolicy, failedAt } = known
  const failed = await ownSuccessor(host, known).catch((error: unknown) => {
    // A foreign one keeps its name, and the old one serves under the other.
    if (!(error instanceof TaskFailure) || error.code !== 'NAME_TAKEN') throw error
    return 'FOREIGN' as const
  })
  if (typeof failed === 'object') await ask('DELETE', `/containers/${failed.Id}?force=true`, [GONE])
  const { status, body } = await ask('GET', `/containers/${oldId}/json`, [GONE])
  if (status === GONE) return { outcome: { step: failedAt, rolledBack: false } }
  const old = SeenContainer.parse(body)
  if (old.Name !== `/${name}` && failed !== 'FOREIGN') await ask('POST', `/containers/${oldId}/rename?name=${name}`)
  await ask('POST', `/containers/${oldId}/update`, [], { RestartPolicy: restartPolicy })
  await ask('POST', `/containers/${oldId}/start`, [NOT_MODIFIED])
  host.say?.(`container ${name} runs as before`)
  return { outcome: { step: failedAt, rolledBack: true } }
}

async function keepNew(host: Host, known: Replacement): Promise<Partial<Replacement>> {
  const { ask } = host
  // Not its volumes: the new one has them.
  await ask('DELETE', `/containers/${known.oldId}?force=true&v=false`, [GONE])
  const present = await ownSuccessor(host, known)
  const variables = { [IMAGE_VARIABLE]: known.image, [RELEASE_VARIABLE]: known.sha256 }
  const isNamed = await setVariables(present?.Config.Labels, variables).catch(() => false)
  if (!isNamed)
    host.say?.(`no file of Compose variables names ${known.image}: the next "docker compose up" may change the version`)
  return { outcome: { step: 'READY', rolledBack: false } }
}
