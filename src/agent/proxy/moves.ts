/** How a process of HAProxy gets to the targets of a backend. It has slots for servers, of which some are in use. */
import { CLOSED, HOLD } from './config-text.ts'
import { placeOf } from './state.ts'
import type { BackendTargets, Target } from './state.ts'

/** As the process says. */
export interface ServerNow {
  readonly name: string
  /** `address:port` */
  readonly place: string
  readonly state: 'READY' | 'DRAIN' | 'MAINT'
  /** Requests and connections that it works on. */
  readonly sessions: number
}

export interface Moves {
  /** Words of commands, in their order. */
  readonly commands: readonly (readonly string[])[]
  /** There was no slot for some of the targets. */
  readonly isFull: boolean
}

/** New targets become ready before others get no more requests. */
export function movesOf(backend: string, servers: readonly ServerNow[], wanted: BackendTargets): Moves {
  const slots = servers.filter(({ name }) => name !== HOLD)
  const hold = servers.find(({ name }) => name === HOLD)
  const places = new Set(wanted.current.map(placeOf))
  const found = new Map(slots.filter(({ place }) => places.has(place)).map((each) => [each.place, each]))
  const free = freeSlots(slots.filter(({ place }) => !places.has(place) || place === CLOSED))
  const set = (server: string, ...words: string[]) => ['set', 'server', `${backend}/${server}`, ...words]
  let isFull = false
  const enter = (target: Target): string[][] => {
    const present = found.get(placeOf(target))
    if (present) return present.state === 'READY' ? [] : [set(present.name, 'state', 'ready')]
    const slot = free.shift()
    if (!slot) isFull = true
    if (!slot) return []
    return [
      set(slot.name, 'state', 'maint'),
      set(slot.name, 'addr', target.address, 'port', String(target.port)),
      set(slot.name, 'state', 'ready'),
    ]
  }
  const entering = wanted.current.flatMap(enter)
  const holding =
    hold && (hold.state === 'READY') !== wanted.isHeld ? [set(HOLD, 'state', wanted.isHeld ? 'ready' : 'maint')] : []
  const leaving = slots
    .filter(({ place, state }) => state === 'READY' && !places.has(place))
    .map(({ name }) => set(name, 'state', 'drain'))
  return { commands: [...entering, ...holding, ...leaving], isFull }
}

/** A slot that still works on requests is not free: its address is how they are counted. */
const freeSlots = (slots: readonly ServerNow[]): ServerNow[] => [
  ...slots.filter(({ state, sessions }) => state === 'MAINT' && sessions === 0),
  ...slots.filter(({ state, sessions }) => state === 'DRAIN' && sessions === 0),
]
