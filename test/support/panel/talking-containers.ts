/** Containers that say, use and answer what a test says, for an agent without an engine. */
import type { z } from 'zod'
import { asker, follower, performer, TaskFailure } from '../../../src/agent/performer.ts'
import type { Work } from '../../../src/agent/performer.ts'
import { applicationsStats, containersExec, logsFollow, logsTail } from '../../../src/tasks/applications.ts'
import type { ContainerLine, ContainerStats } from '../../../src/tasks/applications.ts'

interface Said extends Partial<Pick<ContainerLine, 'service' | 'replica' | 'of' | 'deploymentId'>> {
  /** The first digits of the id of its container. */
  readonly container?: string
}

const CONTAINER = 'a'.repeat(12)
const NANOS = '000000Z'

export const containerUse = (more: Partial<ContainerStats> = {}): ContainerStats => ({
  service: 'app',
  replica: 1,
  deploymentId: null,
  cpuPercent: 12.34,
  memoryBytes: 8_388_608,
  limitBytes: 16_777_216,
  netRxBytes: 1_500,
  netTxBytes: 20,
  blockReadBytes: 0,
  blockWriteBytes: 4_096,
  pids: 7,
  at: new Date().toISOString(),
  ...more,
})

type Which = Pick<ContainerLine, 'service' | 'deploymentId'> | { readonly service: null; readonly deploymentId: null }

export function talkingContainers() {
  const lines: ContainerLine[] = []
  const readers = new Set<() => void>()
  const stats: ContainerStats[] = []
  const measured: Pick<z.output<typeof applicationsStats.params>, 'workload'>[] = []
  let run: (secrets: any, work: Work<any>) => unknown = () => {
    throw new TaskFailure('NOT_RUNNING', 'No container of it runs on the server')
  }
  let [startMs, isMute] = [Date.now(), false]
  const isOf = ({ service, deploymentId }: Which) => {
    const isSame = (asked: string | null, own: string | null): boolean => asked === null || asked === own
    return (line: ContainerLine) => isSame(service, line.service) && isSame(deploymentId, line.deploymentId)
  }
  return {
    performers: [performer(containersExec, async (work) => run(work.secrets, work) as never)],
    askers: [
      asker(logsTail, async (query) => {
        const since =
          query.after
            .map(({ at }) => at)
            .toSorted()
            .at(-1) ??
          query.since ??
          ''
        const all = lines.filter((line) => isOf(query as Which)(line) && line.at >= since)
        const containers = [...new Set(lines.map(({ container }) => container))]
        return { lines: all.slice(-query.tail), isCut: all.length > query.tail, containers }
      }),
      asker(applicationsStats, async (query) => {
        measured.push(query)
        if (isMute) throw new TaskFailure('ENGINE_UNREACHABLE', 'The container engine does not answer')
        return { containers: stats }
      }),
    ],
    followers: [
      follower(logsFollow, async (query, { signal, say }) => {
        let next = lines.length
        await say('', 'STEP')
        while (!signal.aborted) {
          for (const line of lines.slice(next).filter(isOf(query as Which))) {
            const { container, at, nth, service, replica, deploymentId, text, of } = line
            await say(JSON.stringify([container, at, nth, service, replica, deploymentId, text]), of)
          }
          next = lines.length
          await new Promise<void>((resolve) => {
            readers.add(resolve)
            signal.addEventListener('abort', () => resolve(), { once: true })
          })
          readers.clear()
        }
      }),
    ],
    /** Each line a moment after the one before. */
    say(
      texts: readonly string[],
      { container = CONTAINER, service = 'app', replica = 1, of = 'OUT', deploymentId = null }: Said = {},
    ) {
      for (const text of texts) {
        startMs += 1
        const at = new Date(startMs).toISOString().replace('Z', NANOS)
        lines.push({ container, of, at, nth: 1, service, replica, deploymentId, text })
      }
      for (const tell of readers) tell()
    },
    /** The container is gone, and what it has said. */
    forget: (container: string) =>
      void lines.splice(0, lines.length, ...lines.filter((each) => each.container !== container)),
    /** Of what it was asked what they use. */
    measured,
    /** What they use, from now on. */
    use: (...now: ContainerStats[]) => void stats.splice(0, stats.length, ...now),
    mute: (isSo: boolean) => void (isMute = isSo),
    /** What a command does, from now on. */
    answer: (does: typeof run) => void (run = does),
  }
}
