/** Waits until a container is healthy, or cannot become so. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ReleaseService } from '../../tasks/releases.ts'
import type { AskEngine } from '../engine/ask-engine.ts'
import { TaskFailure } from '../performer.ts'
import { look } from './containers.ts'
import type { Seen } from './containers.ts'
import { PROBES } from './probes.ts'
import type { Probed } from './probes.ts'

/** A program that comes up quickly is found so quickly, and so is one that takes longer; at most, its own interval holds. */
const FIRST_WAIT_MS = 10
const OF_TIME_SO_FAR = 1 / 8
const TIMEOUT_MS_MIN = 1_000
const START_MS_MIN = 2_000
/** SIGKILL. The engine may tell later that the kernel sent it for want of memory, or never: the control group is gone then. */
const KILLED = 137
const OOM_MS = 500
const OOM_LOOK_MS = 50

/** A failure of one container, whose log says more. */
export class ContainerFailure extends TaskFailure {
  readonly containerId: string
  readonly of: string

  constructor(code: string, { id, of }: Pick<Waited, 'id' | 'of'>, why: string) {
    super(code, `${of} ${why}`)
    this.containerId = id
    this.of = of
  }
}

export interface Waited {
  readonly id: string
  /** Of the container, in words. */
  readonly of: string
  readonly address: string
  readonly service: ReleaseService
}

/** @throws ContainerFailure UNHEALTHY | PORT_CLOSED | EXITED | OOM */
export async function untilHealthy(ask: AskEngine, waited: Waited, signal: AbortSignal): Promise<void> {
  const { service, address } = waited
  const { health } = service
  const begunMs = performance.now()
  const leftMs = (): number => begunMs + Math.max(START_MS_MIN, health.startSeconds * 1_000) - performance.now()
  let inRow = 0
  for (;;) {
    const lookedMs = performance.now()
    const seen = await running(ask, waited)
    const probed = await PROBES[health.kind]({
      ask,
      seen,
      address,
      port: service.port ?? 0,
      health,
      runsMs: lookedMs - begunMs,
      timeoutMs: Math.ceil(Math.max(TIMEOUT_MS_MIN, Math.min(health.timeoutSeconds * 1_000, leftMs()))),
      signal,
    })
    signal.throwIfAborted()
    inRow = probed.isHealthy ? inRow + 1 : 0
    if (inRow >= health.successes) return
    if (leftMs() <= 0) return unhealthy(ask, waited, probed)
    const [atMs, intervalMs] = [performance.now(), health.intervalSeconds * 1_000]
    // A check that itself takes long must not be all that the container does.
    const soonMs = Math.max((atMs - begunMs) * OF_TIME_SO_FAR, atMs - lookedMs)
    const waitMs = probed.isHealthy ? intervalMs : Math.min(soonMs, intervalMs)
    await pause(Math.max(FIRST_WAIT_MS, Math.min(waitMs, leftMs())), undefined, { signal })
  }
}

async function unhealthy(ask: AskEngine, waited: Waited, { why, isPortClosed, isHealthy }: Probed): Promise<never> {
  await running(ask, waited)
  const { startSeconds } = waited.service.health
  const what = isHealthy ? 'was not healthy often enough' : why
  const code = isPortClosed ? 'PORT_CLOSED' : 'UNHEALTHY'
  throw new ContainerFailure(code, waited, `${what}, and had ${startSeconds} s to get healthy`)
}

/** @throws ContainerFailure EXITED | OOM */
export async function running(ask: AskEngine, waited: Pick<Waited, 'id' | 'of'>): Promise<Seen> {
  const seen = await look(ask, waited.id)
  if (!seen) throw new ContainerFailure('EXITED', waited, 'was removed by another program')
  if (seen.State.Running && seen.RestartCount === 0) return seen
  throw await endedFailure(ask, waited, seen)
}

async function endedFailure(ask: AskEngine, waited: Pick<Waited, 'id' | 'of'>, seen: Seen): Promise<ContainerFailure> {
  const { ExitCode: code } = seen.State
  let isOom = seen.State.OOMKilled
  for (let ms = 0; code === KILLED && !isOom && ms < OOM_MS; ms += OOM_LOOK_MS) {
    await pause(OOM_LOOK_MS)
    isOom = (await look(ask, waited.id))?.State.OOMKilled === true
  }
  if (isOom) return new ContainerFailure('OOM', waited, 'needed more memory than it may use, and was ended')
  const why = code === KILLED ? ': it was killed, which the kernel does when the memory is used up' : ''
  return new ContainerFailure('EXITED', waited, `ended with exit code ${code}${why}`)
}
