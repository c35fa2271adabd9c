/** What the proxy of a host knows: the fragments of its workloads, and where the requests of each backend go. */
import { z } from 'zod'
import { uuid } from '#kernel/lib/uuid'
import type { ProxyFragment } from '../../tasks/proxy.ts'
import type { deployed } from '../../tasks/releases.ts'

export type Owner = z.output<typeof deployed>

const Target = z.strictObject({ address: z.ipv4(), port: z.int().min(1).max(65_535), release: uuid })
export type Target = z.output<typeof Target>

export const BackendTargets = z.strictObject({
  /** They get new requests, unless these are held. */
  current: z.array(Target),
  /** They get no new request, and have had some that may still run. */
  leaving: z.array(Target),
  /** New requests wait for a target. */
  isHeld: z.boolean(),
})
export type BackendTargets = z.output<typeof BackendTargets>

export interface ProxyState {
  /** By the key of their owner. */
  readonly fragments: ReadonlyMap<string, ProxyFragment>
  /** By the id of the backend. One without its fragment has leaving targets only. */
  readonly backends: ReadonlyMap<string, BackendTargets>
}

export const NO_TARGETS: BackendTargets = { current: [], leaving: [], isHeld: false }

/** Lower-case letters, digits and hyphens, as all names in the configuration. */
export const ownerKey = ({ kind, id }: Owner): string => `${kind.toLowerCase()}-${id}`

export const backendId = (owner: Owner, name: string): string => `${ownerKey(owner)}-${name}`

export const placeOf = ({ address, port }: Pick<Target, 'address' | 'port'>): string => `${address}:${port}`

const without = (targets: readonly Target[], gone: readonly Target[]): Target[] => {
  const places = new Set(gone.map(placeOf))
  return targets.filter((each) => !places.has(placeOf(each)))
}

/** New requests go to `current` from now on. */
export const switched = (before: BackendTargets, current: readonly Target[]): BackendTargets => ({
  current: [...current],
  leaving: without([...without(before.leaving, before.current), ...before.current], current),
  isHeld: false,
})

export const held = (before: BackendTargets): BackendTargets => ({ ...switched(before, []), isHeld: true })

/** The targets of a release get no new request any more. */
export const left = (before: BackendTargets, release: string): BackendTargets => {
  const current = before.current.filter((each) => each.release !== release)
  return { ...switched(before, current), isHeld: before.isHeld }
}

/** They have no request any more, or their time is over. */
export const cleared = (before: BackendTargets, gone: readonly Target[]): BackendTargets => ({
  ...before,
  leaving: without(before.leaving, gone),
})

/** Without backends that nothing refers to. */
export function tidied({ fragments, backends }: ProxyState): ProxyState {
  const named = new Set(
    [...fragments.values()].flatMap(({ owner, backends: own }) => own.map(({ name }) => backendId(owner, name))),
  )
  const kept = [...backends].flatMap(([id, targets]): [string, BackendTargets][] => {
    if (named.has(id)) return [[id, targets]]
    const last = { ...switched(targets, []) }
    return last.leaving.length === 0 ? [] : [[id, last]]
  })
  return { fragments, backends: new Map(kept) }
}
