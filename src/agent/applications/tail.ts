/** Answers the newest lines of the containers of a workload, of those that have ended too. */
import type { z } from 'zod'
import { isLater, logsTail } from '../../tasks/applications.ts'
import type { ContainerLine, LogPlace } from '../../tasks/applications.ts'
import { ANSWER_BYTES_MAX } from '../../tasks/protocol.ts'
import type { Frame } from '../engine-bytes.ts'
import type { HostEngine } from '../host/engine.ts'
import { asker } from '../performer.ts'
import { containersOf, inspected } from './containers.ts'
import type { WorkloadContainer } from './containers.ts'
import { hiddenValues, valuesIn } from './hidden-values.ts'
import { engineTime, logLines } from './log-lines.ts'
import type { LoggedLine } from './log-lines.ts'

/** Of an answer, so that what is around its lines has room. */
const LINES_BYTES_MAX = ANSWER_BYTES_MAX - 65_536
/** Lines that are read only because a secret, or lines of one moment, may begin before those that are asked for. */
const BEFORE = 64

type Engine = Pick<HostEngine, 'call' | 'read'>
type TailQuery = z.output<typeof logsTail.params>

interface ReadTail {
  readonly lines: ContainerLine[]
  readonly isCut: boolean
}

export const tailAsker = (engine: Engine) =>
  asker(logsTail, async (query, { secrets, signal }) => {
    const hidden = hiddenValues(secrets)
    const containers = await containersOf(engine.call, query, signal)
    const tails: ReadTail[] = []
    for (const container of containers) tails.push(await tailOf(engine, container, query, hidden, signal))
    const all = tails.flatMap(({ lines }) => lines).toSorted(byMoment)
    const lines = newest(all, query.tail)
    const isCut = lines.length < all.length || tails.some((tail) => tail.isCut)
    return { lines, isCut, containers: containers.map(({ shortId }) => shortId) }
  })

/** Lines of one output keep their order. */
const byMoment = (one: ContainerLine, other: ContainerLine): number => (one.at < other.at ? -1 : +(one.at > other.at))

async function tailOf(
  { call, read }: Engine,
  { id, shortId: container, service, replica, deploymentId }: WorkloadContainer,
  { tail, since, after, secretNames }: TailQuery,
  hidden: readonly string[],
  signal: AbortSignal,
): Promise<ReadTail> {
  const found = await inspected(call, id, signal)
  if (!found) return { lines: [], isCut: false }
  const places = after.filter((place) => place.container === container)
  const from = oldestOf(places) ?? since
  const asked = `stdout=true&stderr=true&timestamps=true&tail=${tail + BEFORE}`
  const path = `/containers/${id}/logs?${asked}${from === null ? '' : `&since=${engineTime(from)}`}`
  const log = logLines([...hidden, ...valuesIn(found, secretNames)])
  const [kept, firsts] = [lastOf(tail), new Map<string, string>()]
  let frames = 0
  const take = (lines: readonly LoggedLine[]): void => {
    for (const line of lines) if (isAfter(places, line) && (since === null || line.at >= since)) kept.add(line)
  }
  const hear = (frame: Frame): void => {
    frames += 1
    const lines = log.push(frame)
    for (const { of, at } of lines) if (!firsts.has(of)) firsts.set(of, at)
    take(lines)
  }
  await read(path, signal, (pieces) => pieces.forEach(hear))
  take(log.end())
  const isCut = frames >= tail + BEFORE || kept.isCut()
  // The numbers of lines of the first moment are not known if there are older ones.
  const known = isCut ? kept.lines().filter(({ of, at }) => at !== firsts.get(of)) : kept.lines()
  return { lines: known.map((line) => ({ ...line, container, service, replica, deploymentId })), isCut }
}

/** Both outputs are read from there. Undefined if nothing is known of one of them. */
function oldestOf(places: readonly LogPlace[]): string | undefined {
  const sources = new Set(places.map(({ of }) => of))
  return sources.size < 2 ? undefined : places.map(({ at }) => at).toSorted()[0]
}

export const isAfter = (places: readonly Pick<LogPlace, 'of' | 'at' | 'nth'>[], line: LoggedLine): boolean =>
  places.every((place) => place.of !== line.of || isLater(line, place))

/** The newest ones, as many as an answer holds. */
function lastOf(most: number) {
  let [lines, bytes, isCut] = [[] as LoggedLine[], 0, false]
  return {
    add(line: LoggedLine): void {
      lines.push(line)
      bytes += line.text.length
      if (lines.length <= 2 * most && bytes <= 2 * LINES_BYTES_MAX) return
      const last = newest(lines, most)
      isCut ||= last.length < lines.length
      lines = last
      bytes = last.reduce((sum, { text }) => sum + text.length, 0)
    },
    lines: (): readonly LoggedLine[] => lines,
    isCut: () => isCut,
  }
}

function newest<Line extends LoggedLine>(lines: readonly Line[], most: number): Line[] {
  let [first, bytes] = [lines.length, 0]
  for (; first > Math.max(0, lines.length - most); first -= 1) {
    bytes += Buffer.byteLength(JSON.stringify(lines[first - 1])) + 1
    if (bytes > LINES_BYTES_MAX) break
  }
  return lines.slice(first)
}
