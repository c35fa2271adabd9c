/** Changes single objects of the engine. What a panel or the installation needs is refused. */
import { z } from 'zod'
import { containersAct, imagesRemove, networksRemove, REFUSALS, volumesRemove } from '../../tasks/engine.ts'
import type { ContainerAction, EngineRefusal } from '../../tasks/engine.ts'
import type { EngineCall, EngineReply } from '../engine-call.ts'
import { performer, TaskFailure } from '../performer.ts'
import type { Performer, Work } from '../performer.ts'
import { NetworkUser, PREDEFINED_NETWORKS, usesNetwork } from './networks.ts'
import { isManaged, isPlatform, Labels } from './owners.ts'
import { Size } from './read-list.ts'

const GONE = 404
const NOT_MODIFIED = 304
/** A network with containers, and a predefined one. */
const FORBIDDEN = 403
const CONFLICT = 409
/** How long the engine waits before it kills what does not stop. */
const STOP_SECONDS = 10
const WORDS_MAX = 300

const SeenContainer = z.object({ Config: z.object({ Labels }), State: z.object({ Status: z.string() }) })
const SeenImage = z.object({
  Size,
  Config: z.object({ Labels }).nullish(),
})
const SeenNetwork = z.object({ Id: z.string(), Name: z.string(), Labels })
const SeenVolume = z.object({ Labels })
const Listed = z.array(z.object({ Names: z.array(z.string()) }))
const NetworkUsers = z.array(NetworkUser)
const Words = z.object({ message: z.string() })

/** What the engine says of it is shown: it names files, ports and limits of the host. */
function refused(what: string, { status, body }: EngineReply): TaskFailure {
  const words = Words.safeParse(body)
  const why = words.success ? words.data.message.slice(0, WORDS_MAX) : `it answered ${status}`
  return new TaskFailure('ENGINE_REFUSED', `The engine refused to ${what}: ${why}`)
}

const isDone = ({ status }: EngineReply): boolean => status < 300 || status === NOT_MODIFIED

/** An earlier process or attempt may have removed it. */
const mayHaveDone = ({ isResumed, attempt }: Work<unknown>): boolean => isResumed || attempt > 1

/** @returns undefined if it is not there */
async function seen<Schema extends z.ZodType>(
  call: EngineCall,
  path: string,
  schema: Schema,
  signal: AbortSignal,
): Promise<z.output<Schema> | undefined> {
  const reply = await call('GET', path, signal)
  if (reply.status === GONE) return undefined
  const parsed = schema.safeParse(reply.body)
  if (reply.status === 200 && parsed.success) return parsed.data
  throw refused('show the object', reply)
}

const refusal = (code: EngineRefusal): TaskFailure => new TaskFailure(code, REFUSALS[code])

function refuseManaged(of: Labels): void {
  if (isManaged(of) || isPlatform(of)) throw refusal('MANAGED')
}

const ACTIONS: Readonly<Record<Exclude<ContainerAction, 'remove'>, string>> = {
  start: 'start',
  stop: `stop?t=${STOP_SECONDS}`,
  restart: `restart?t=${STOP_SECONDS}`,
  kill: 'kill',
}

const actPerformer = (call: EngineCall): Performer =>
  performer(containersAct, async (work) => {
    const { payload, signal } = work
    const { containerId, action } = payload
    const path = `/containers/${containerId}`
    const look = () => seen(call, `${path}/json`, SeenContainer, signal)
    const before = await look()
    if (!before && action === 'remove' && mayHaveDone(work)) return { state: 'removed' }
    if (!before) throw refusal('NOT_FOUND')
    const { Labels: own } = before.Config
    if (isPlatform(own) && action !== 'start') throw refusal('OWN_PANEL')
    if (action === 'remove') {
      refuseManaged(own)
      return removeContainer(call, path, signal)
    }
    const reply = await call('POST', `${path}/${ACTIONS[action]}`, signal)
    if (reply.status === GONE) throw refusal('NOT_FOUND')
    const after = await look()
    if (!after) throw refusal('NOT_FOUND')
    // A container that does not run needs no kill.
    const isKilled = action === 'kill' && reply.status === CONFLICT && after.State.Status !== 'running'
    if (!isDone(reply) && !isKilled) throw refused(`${action} the container`, reply)
    return { state: after.State.Status }
  })

async function removeContainer(call: EngineCall, path: string, signal: AbortSignal): Promise<{ state: string }> {
  const reply = await call('DELETE', path, signal)
  if (reply.status === CONFLICT) throw refusal('IN_USE')
  if (!isDone(reply) && reply.status !== GONE) throw refused('remove the container', reply)
  return { state: 'removed' }
}

interface Removal {
  readonly what: string
  readonly path: string
  readonly signal: AbortSignal
}

async function remove(call: EngineCall, { what, path, signal }: Removal): Promise<void> {
  const reply = await call('DELETE', path, signal)
  if (reply.status === CONFLICT || reply.status === FORBIDDEN) throw refusal('IN_USE')
  if (!isDone(reply) && reply.status !== GONE) throw refused(`remove the ${what}`, reply)
}

const imagePerformer = (call: EngineCall): Performer =>
  performer(imagesRemove, async (work) => {
    const { payload, signal } = work
    const id = encodeURIComponent(payload.id)
    const image = await seen(call, `/images/${id}/json`, SeenImage, signal)
    if (!image && mayHaveDone(work)) return { bytes: null }
    if (!image) throw refusal('NOT_FOUND')
    const { Labels: own } = image.Config ?? {}
    if (isPlatform(own)) throw refusal('PLATFORM_IMAGE')
    refuseManaged(own)
    const filters = encodeURIComponent(JSON.stringify({ ancestor: [payload.id] }))
    const users = await seen(call, `/containers/json?all=true&filters=${filters}`, Listed, signal)
    if (users && users.length > 0) throw refusal('IN_USE')
    // Without force, an image with two names stays.
    await remove(call, { what: 'image', path: `/images/${id}?force=true`, signal })
    return { bytes: image.Size ?? null }
  })

const networkPerformer = (call: EngineCall): Performer =>
  performer(networksRemove, async (work) => {
    const { payload, signal } = work
    const path = `/networks/${payload.id}`
    const network = await seen(call, path, SeenNetwork, signal)
    if (!network && mayHaveDone(work)) return { bytes: null }
    if (!network) throw refusal('NOT_FOUND')
    if (PREDEFINED_NETWORKS.includes(network.Name)) throw refusal('PREDEFINED')
    refuseManaged(network.Labels)
    // The engine removes it under a stopped container, which could not be started again.
    const containers = await seen(call, '/containers/json?all=true', NetworkUsers, signal)
    if (containers?.some((container) => usesNetwork(container, network))) throw refusal('IN_USE')
    await remove(call, { what: 'network', path, signal })
    return { bytes: null }
  })

const volumePerformer = (call: EngineCall): Performer =>
  performer(volumesRemove, async (work) => {
    const { payload, signal } = work
    const path = `/volumes/${encodeURIComponent(payload.name)}`
    const volume = await seen(call, path, SeenVolume, signal)
    if (!volume && mayHaveDone(work)) return { bytes: null }
    if (!volume) throw refusal('NOT_FOUND')
    refuseManaged(volume.Labels)
    await remove(call, { what: 'volume', path, signal })
    return { bytes: null }
  })

export const changePerformers = (call: EngineCall): readonly Performer[] => [
  actPerformer(call),
  imagePerformer(call),
  networkPerformer(call),
  volumePerformer(call),
]
