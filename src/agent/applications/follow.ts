/** Follows what the containers of a workload say, those that start later included. */
import { setTimeout as sleep } from 'node:timers/promises'
import { logsFollow } from '../../tasks/applications.ts'
import type { FollowedLine } from '../../tasks/applications.ts'
import type { Frame } from '../engine-bytes.ts'
import type { HostEngine } from '../host/engine.ts'
import { follower } from '../performer.ts'
import type { Followed } from '../performer.ts'
import { containersOf, inspected } from './containers.ts'
import type { WorkloadContainer } from './containers.ts'
import { hiddenValues, valuesIn } from './hidden-values.ts'
import { engineMoment, engineTime, logLines } from './log-lines.ts'
import type { LoggedLine } from './log-lines.ts'
import { isAfter } from './tail.ts'

/** What was said just before may reach the engine's log a little later. */
const BEFORE_MS = 1_000
const LOOK_EVERY_MS = 1_000
const NEVER_STARTED = '0001'

type Engine = Pick<HostEngine, 'call' | 'read'>

interface Reading {
  isOpen: boolean
  /** The start of the container that was read last. */
  startedAt: string
  /** The last line of each output. */
  places: LoggedLine[]
}

export const logsFollower = (engine: Engine) =>
  follower(
    logsFollow,
    async (query, { secrets, signal, say }) => {
      const hidden = hiddenValues(secrets)
      const since = engineMoment(Date.now() - BEFORE_MS)
      const readings = new Map<string, Reading>()
      const failing = new AbortController()
      const all = AbortSignal.any([signal, failing.signal])
      const follow = followOne(engine, { since, hidden, names: query.secretNames }, say, all)
      let isSaid = false
      try {
        while (!all.aborted) {
          const containers = await containersOf(engine.call, query, all)
          for (const container of containers) {
            const reading = readings.get(container.id) ?? { isOpen: false, startedAt: '', places: [] }
            readings.set(container.id, reading)
            if (!reading.isOpen) follow(container, reading).catch((error: unknown) => failing.abort(error))
          }
          forgetOthers(readings, containers)
          if (!isSaid) await say('', 'STEP')
          isSaid = true
          await sleep(LOOK_EVERY_MS, undefined, { signal: all }).catch(() => {})
        }
      } finally {
        failing.abort()
      }
      if (!signal.aborted) throw failing.signal.reason
    },
    // Lines have lost their secrets before they become JSON.
    { redacts: () => [] },
  )

function forgetOthers(readings: Map<string, Reading>, containers: readonly WorkloadContainer[]): void {
  const isThere = new Set(containers.map(({ id }) => id))
  for (const [id, { isOpen }] of readings) if (!isOpen && !isThere.has(id)) readings.delete(id)
}

interface LogOptions {
  readonly since: string
  readonly hidden: readonly string[]
  readonly names: readonly string[]
}

/** Reads until the container ends. It is read again when it has started again. */
const followOne =
  ({ call, read }: Engine, { since, hidden, names }: LogOptions, say: Followed['say'], signal: AbortSignal) =>
  async (container: WorkloadContainer, reading: Reading): Promise<void> => {
    reading.isOpen = true
    const found = await inspected(call, container.id, signal)
    const { StartedAt: startedAt, Running: isRunning } = found?.State ?? { StartedAt: NEVER_STARTED, Running: false }
    const isNew = isRunning || (startedAt !== reading.startedAt && !startedAt.startsWith(NEVER_STARTED))
    if (found && isNew) {
      reading.startedAt = startedAt
      const tell = async (lines: readonly LoggedLine[]): Promise<void> => {
        for (const run of runsOf(lines.filter((line) => isNext(reading, line))))
          await say(
            run.map((line) => JSON.stringify(told(container, line))),
            run[0]!.of,
          )
      }
      const readLog = async (isFollowed: boolean): Promise<void> => {
        const log = logLines([...hidden, ...valuesIn(found, names)])
        const from = engineTime(fromOf(reading, since))
        const asked = `follow=${isFollowed}&stdout=true&stderr=true&timestamps=true&since=${from}`
        await read(`/containers/${container.id}/logs?${asked}`, signal, async (frames: readonly Frame[]) =>
          tell(frames.flatMap((frame) => log.push(frame))),
        )
        await tell(log.end())
      }
      await readLog(true)
      // Engine 20.10 begins with what the log holds, and leaves out what follows if the container ends meanwhile.
      await readLog(false)
    }
    reading.isOpen = false
  }

/** Whether it is new. It is the last one of its output then. */
function isNext(reading: Reading, line: LoggedLine): boolean {
  if (!isAfter(reading.places, line)) return false
  reading.places = [...reading.places.filter(({ of }) => of !== line.of), line]
  return true
}

/** Lines of one output that follow each other. */
function runsOf(lines: readonly LoggedLine[]): LoggedLine[][] {
  const runs: LoggedLine[][] = []
  for (const line of lines) {
    const run = runs.at(-1)
    if (run?.[0]!.of === line.of) run.push(line)
    else runs.push([line])
  }
  return runs
}

/** The older one of the two outputs. */
const fromOf = ({ places }: Reading, since: string): string =>
  places.length < 2 ? since : places.map(({ at }) => at).toSorted()[0]!

const told = (
  { shortId, service, replica, deploymentId }: WorkloadContainer,
  { at, nth, text }: LoggedLine,
): FollowedLine => [shortId, at, nth, service, replica, deploymentId, text]
