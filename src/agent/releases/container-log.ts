/** Tells what a container has said before it is removed. */
import { z } from 'zod'
import { HIDDEN_CHARACTERS_MIN } from '../../tasks/applications.ts'
import type { Frame } from '../engine-bytes.ts'
import { GONE } from '../engine/ask-engine.ts'
import type { AskEngine } from '../engine/ask-engine.ts'
import type { Work } from '../performer.ts'
import { secretFilters } from '../secret-filter.ts'
import type { SecretFilter } from '../secret-filter.ts'
import type { Seen } from './containers.ts'
import { nameIn } from './containers.ts'
import type { ReleaseHost } from './host.ts'
import { logTail } from './log-tail.ts'

const BYTES_MAX = 1_048_576
/** Lines of one byte fill it. */
const LINES_MAX = BYTES_MAX
/** Of lines that are told at once. */
const PIECE_BYTES = 65_536

const Image = z.object({ Config: z.object({ Env: z.array(z.string()).nullish() }).nullish() })

/** Without the values of its variables. The task may be told others, but only the engine knows these. */
export async function tellLog(host: ReleaseHost, ask: AskEngine, work: Work<unknown>, seen: Seen): Promise<void> {
  const name = `log/${seen.Id}`
  if (work.made.has(name)) return
  const pieces = await logTail(host, seen.Id, { lines: LINES_MAX, bytesMax: BYTES_MAX }, work.signal)
  await work.say(`The last of what ${nameIn(seen.Config.Labels)} has said:`, 'STEP')
  const filters = secretFilters(await valuesOf(ask, seen))
  const plain = { OUT: plainText(filters()), ERR: plainText(filters()) }
  const write = async (stream: Frame['of'], text: string): Promise<void> =>
    text === '' ? undefined : work.write(stream, text)
  for (const piece of gathered(pieces)) await write(piece.of, plain[piece.of].push(piece.bytes))
  for (const stream of ['OUT', 'ERR'] as const) await write(stream, plain[stream].end())
  await work.note(name, seen.Id)
}

/** Fewer and longer pieces, in their order. */
function* gathered(pieces: readonly Frame[]): Generator<Frame> {
  let [begun, bytes] = [[] as Frame[], 0]
  const whole = (): Frame => ({ of: begun[0]!.of, bytes: Buffer.concat(begun.map((piece) => piece.bytes)) })
  for (const piece of pieces) {
    const isOther = begun[0] !== undefined && begun[0].of !== piece.of
    if (isOther || bytes >= PIECE_BYTES) {
      yield whole()
      begun = []
      bytes = 0
    }
    begun.push(piece)
    bytes += piece.bytes.length
  }
  if (begun.length > 0) yield whole()
}

/** The text of one stream. Its last line has an end, so that the next container begins a new one. */
function plainText(filter: SecretFilter) {
  const decoder = new TextDecoder()
  let last = '\n'
  const noting = (text: string): string => {
    last = text.at(-1) ?? last
    return text
  }
  return {
    push: (bytes: Buffer): string => noting(filter.push(decoder.decode(bytes, { stream: true }))),
    end: (): string => {
      const rest = noting(filter.push(decoder.decode()) + filter.end())
      return last === '\n' ? rest : `${rest}\n`
    },
  }
}

/** Those that its image does not have. */
async function valuesOf(ask: AskEngine, { Image: imageId, Config }: Seen): Promise<string[]> {
  const { status, body } = await ask('GET', `/images/${imageId}/json`, [GONE])
  const ofImage = status === GONE ? [] : (Image.parse(body).Config?.Env ?? [])
  const own = (Config.Env ?? []).filter((variable) => !ofImage.includes(variable))
  const values = own.map((variable) => variable.slice(variable.indexOf('=') + 1))
  return values.filter(({ length }) => length >= HIDDEN_CHARACTERS_MIN)
}
