/**
 * What BuildKit tells of a build, as lines of its log. Steps may run side by side: a line of output is told when it is
 * whole, so that neither lines nor secrets of two steps mix. Source: control.proto of BuildKit, StatusResponse.
 */
import { StringDecoder } from 'node:string_decoder'
import type { Work } from '../performer.ts'
import { messagesOf, numberOf, readFields, textOf } from './protobuf.ts'
import type { Field } from './protobuf.ts'

const STDERR = 2
const LINE_CHARACTERS_MAX = 65_536
/** An image that another one is built on. */
const BASE = /^\[[^\]]*\] FROM /
/** What the builder does for itself. */
const INTERNAL = /^\[internal\]|^(?:exporting|copy \/context|writing|naming)/

export interface BuildTraces {
  /** @param trace the `aux` of a line of the engine */
  hear(trace: string): Promise<void>
  /** Tells what is left of lines. */
  end(): Promise<void>
  readonly cachedSteps: () => number
}

interface Step {
  readonly name: string
  isBegun: boolean
  isOver: boolean
  isTold: boolean
  startedMs: number
  readonly output: Map<'OUT' | 'ERR', { readonly decoder: StringDecoder; begun: string }>
}

export function buildTraces({ say, write }: Pick<Work<unknown>, 'say' | 'write'>): BuildTraces {
  const steps = new Map<string, Step>()
  const cached = new Set<string>()

  const stepOf = (digest: string, name: string): Step => {
    const known = steps.get(digest)
    if (known && (known.name !== '' || name === '')) return known
    const fresh = { name, isBegun: false, isOver: false, isTold: false, startedMs: 0, output: new Map() }
    steps.set(digest, fresh)
    return fresh
  }

  async function hearVertex(fields: readonly Field[]): Promise<void> {
    const digest = textOf(fields, VERTEX.digest)
    const step = stepOf(digest, textOf(fields, VERTEX.name))
    const [started, completed] = [timeOf(fields, VERTEX.started), timeOf(fields, VERTEX.completed)]
    // One that has ended may start again.
    if (INTERNAL.test(step.name) || (step.isOver && started === step.startedMs)) return
    const isCached = numberOf(fields, VERTEX.cached) === 1
    if (started !== undefined) step.startedMs = started
    if (started !== undefined && !step.isBegun && !isCached) {
      step.isBegun = true
      await say(step.name)
    }
    if (completed === undefined) return
    await flush(step)
    const isFailed = textOf(fields, VERTEX.error) !== ''
    if (!isFailed && step.isTold) return
    if (isCached && !BASE.test(step.name)) cached.add(digest)
    step.isOver = true
    step.isTold = true
    await tellEnd(step, isFailed ? 'FAILED' : isCached ? 'CACHED' : completed)
  }

  async function tellEnd({ name, startedMs }: Step, end: 'FAILED' | 'CACHED' | number): Promise<void> {
    if (end === 'FAILED') await say(`${name}: failed`, 'ERR')
    else if (end === 'CACHED') await say(`${name}: cached`)
    else await say(`${name}: ${((end - startedMs) / 1_000).toFixed(1)} s`)
  }

  async function hearLog(fields: readonly Field[]): Promise<void> {
    const step = stepOf(textOf(fields, LOG.vertex), '')
    const of = numberOf(fields, LOG.stream) === STDERR ? 'ERR' : 'OUT'
    const output = step.output.get(of) ?? { decoder: new StringDecoder(), begun: '' }
    step.output.set(of, output)
    for (const { number, bytes } of fields) if (number === LOG.bytes) output.begun += output.decoder.write(bytes)
    const end = output.begun.length > LINE_CHARACTERS_MAX ? output.begun.length : output.begun.lastIndexOf('\n') + 1
    await tell(of, output.begun.slice(0, end))
    output.begun = output.begun.slice(end)
  }

  async function tell(of: 'OUT' | 'ERR', text: string): Promise<void> {
    if (text !== '') await write(of, text)
  }

  async function flush(step: Step): Promise<void> {
    for (const [of, { begun }] of step.output) await tell(of, begun === '' ? '' : `${begun}\n`)
    step.output.clear()
  }

  return {
    async hear(trace) {
      const told = readFields(Buffer.from(trace, 'base64'))
      const [vertexes, logs] = [messagesOf(told, 1), messagesOf(told, 3)]
      // A step begins before its output, and ends after it.
      for (const vertex of vertexes) if (timeOf(vertex, VERTEX.completed) === undefined) await hearVertex(vertex)
      for (const log of logs) await hearLog(log)
      for (const vertex of vertexes) if (timeOf(vertex, VERTEX.completed) !== undefined) await hearVertex(vertex)
    },
    async end() {
      for (const step of steps.values()) await flush(step)
    },
    cachedSteps: () => cached.size,
  }
}

const VERTEX = { digest: 1, name: 3, cached: 4, started: 5, completed: 6, error: 7 }
const LOG = { vertex: 1, stream: 3, bytes: 4 }

/** In milliseconds since 1970. Source: timestamp.proto. */
function timeOf(fields: readonly Field[], number: number): number | undefined {
  const [time] = messagesOf(fields, number)
  return time && numberOf(time, 1) * 1_000 + numberOf(time, 2) / 1_000_000
}
