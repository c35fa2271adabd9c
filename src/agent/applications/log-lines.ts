/** Makes lines of what the engine has logged of one container, without secrets, each with its place in the log. */
import { StringDecoder } from 'node:string_decoder'
import type { LogPlace } from '../../tasks/applications.ts'
import type { Frame } from '../engine-bytes.ts'
import { secretFilters } from '../secret-filter.ts'
import type { SecretFilter } from '../secret-filter.ts'
import { textPieces } from './text-pieces.ts'

/** The engine writes a moment of so many characters before each piece that it has logged. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/
const MOMENT_CHARACTERS = 30
/** A line without an end becomes one when it is so long. */
const LINE_CHARACTERS_MAX = 65_536

export interface LoggedLine extends Pick<LogPlace, 'of' | 'at' | 'nth'> {
  readonly text: string
}

interface LogLines {
  push(frame: Frame): LoggedLine[]
  /** What is left: nothing follows. */
  end(): LoggedLine[]
}

/** @param hidden taken out, across lines and pieces */
export function logLines(hidden: readonly string[]): LogLines {
  const filters = secretFilters(hidden)
  const outputs = { OUT: outputLines('OUT', filters()), ERR: outputLines('ERR', filters()) }
  return {
    push({ of, bytes }) {
      const at = bytes.toString('latin1', 0, MOMENT_CHARACTERS)
      return MOMENT.test(at) ? outputs[of].push(at, bytes.subarray(MOMENT_CHARACTERS + 1)) : []
    },
    end: () => [...outputs.OUT.end(), ...outputs.ERR.end()],
  }
}

function outputLines(of: LoggedLine['of'], filter: SecretFilter) {
  const decoder = new StringDecoder('utf8')
  let begun = ''
  /** Of what is begun, or held back by the filter. */
  let begunAt: string | undefined
  let [last, nth] = ['', 0]

  /** A clock that was set back leaves the order as it is. */
  function placed(at: string, text: string): LoggedLine[] {
    return textPieces(text).map((piece) => {
      nth = at > last ? 1 : nth + 1
      last = at > last ? at : last
      return { of, at: last, nth, text: piece }
    })
  }

  function lines(at: string, text: string): LoggedLine[] {
    const parts = (begun + text).split('\n')
    begun = parts.pop()!
    const isLong = begun.length >= LINE_CHARACTERS_MAX
    if (isLong) parts.push(begun)
    if (isLong) begun = ''
    return parts.flatMap((part, index) => placed(index === 0 ? (begunAt ?? at) : at, part))
  }

  return {
    push(at: string, bytes: Buffer): LoggedLine[] {
      const shown = filter.push(decoder.write(bytes))
      const made = lines(at, shown)
      const isWhole = begun === '' && shown.endsWith('\n')
      const isNew = begunAt === undefined || made.length > 0
      begunAt = isWhole ? undefined : isNew ? at : begunAt
      return made
    },
    end(): LoggedLine[] {
      const made = lines(last, filter.push(decoder.end()) + filter.end())
      const rest = begun
      begun = ''
      return rest === '' ? made : [...made, ...placed(begunAt ?? last, rest)]
    },
  }
}

/** As the engine takes it: seconds of Unix, with nanoseconds. */
export function engineTime(moment: string): string {
  const NANOS_AT = 20
  return `${Math.floor(Date.parse(moment) / 1_000)}.${moment.slice(NANOS_AT, -1)}`
}

/** Of this host's clock, which is the engine's. */
export const engineMoment = (ms: number): string => new Date(ms).toISOString().replace('Z', '000000Z')
