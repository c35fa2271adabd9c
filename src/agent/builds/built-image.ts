/** The image of a build, as the engine shows it. */
import { z } from 'zod'
import { ImageId } from '../../tasks/engine.ts'
import { LABELS } from '../../tasks/labels.ts'
import type { EngineCall } from '../engine-call.ts'
import { askEngine, GONE } from '../engine/ask-engine.ts'
import { Labels } from '../engine/owners.ts'

const PORTS_MAX = 50

const Image = z.object({
  Id: ImageId,
  Size: z.int().min(0),
  Config: z.object({ Labels, ExposedPorts: z.record(z.string(), z.unknown()).nullish() }).nullish(),
})

export interface BuiltImage {
  readonly imageId: string
  readonly bytes: number
  readonly ports: number[]
}

/** @returns undefined if the tag names no image, or one that another task has made */
export async function builtImage(
  call: EngineCall,
  tag: string,
  taskId: string,
  signal: AbortSignal,
): Promise<BuiltImage | undefined> {
  const ask = askEngine(call, signal)
  const { status, body } = await ask('GET', `/images/${encodeURIComponent(tag)}/json`, [GONE])
  if (status === GONE) return undefined
  const { Id: imageId, Size: bytes, Config } = Image.parse(body)
  if (Config?.Labels?.[LABELS.task] !== taskId) return undefined
  return { imageId, bytes, ports: exposedPorts(Object.keys(Config.ExposedPorts ?? {})) }
}

/** Such as `80/tcp` and `53/udp`. */
export function exposedPorts(names: readonly string[]): number[] {
  const ports = names.map((name) => Number.parseInt(name, 10)).filter((port) => port >= 1 && port <= 65_535)
  return [...new Set(ports)].toSorted((one, other) => one - other).slice(0, PORTS_MAX)
}
