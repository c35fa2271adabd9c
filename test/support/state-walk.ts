/**
 * Walks a decider through random commands and waits. In each state that is reached it tries every route that declares
 * `from`: inside of the declared states a call does something or is refused for another reason; outside it is refused
 * with 409 or changes nothing.
 */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect } from 'vitest'
import { z } from 'zod'
import type { CommandInputOf, Decider, StateOf } from '#kernel/events/decider'
import type { EventIn } from '#kernel/events/event'
import type { FromStates } from '#kernel/http/in-state'
import type { Route } from '#kernel/http/route'
import { fits } from '#kernel/lib/record-states'
import { Rejection } from '#kernel/lib/rejection'
import { AT } from './decider-spec.ts'

const RUNS = 200
/** Walks go on until each state was met, since a rare one may need more runs than most do. */
const ROUNDS_MAX = 20
const STEPS_MAX = 30
const DAY_MS = 86_400_000
const actor = { type: 'STAFF', id: '01890000-0000-7000-8000-000000000001' }

type Happened<D extends Decider> = readonly EventIn<D['stream']>[]

/** The state after some events, at a time. */
export interface Moment<D extends Decider> {
  readonly state: StateOf<D>
  readonly at: Date
  /** Another number after each event, for new ids. */
  readonly made: number
  /** All events so far, for what only the read model keeps. */
  readonly past: Happened<D>
  /** @throws Rejection by the rules of the command */
  decide<Name extends keyof D['commands'] & string>(command: Name, ask: CommandInputOf<D, Name>): Happened<D>
}

/** A record as the replies show it. */
export interface ShownRecord {
  readonly id: string
  readonly shown: Readonly<Record<string, unknown>>
}

/** `undefined` is an effect too: what is changed lies in another stream. */
type Call<D extends Decider> = (now: Moment<D>, id: string) => Happened<D> | undefined

export interface Walk<D extends Decider> {
  /** Events that begin the stream, one of them at random. */
  readonly begins: readonly Happened<D>[]
  /** What may happen: commands of routes, timers and other systems. What is refused is passed over. */
  readonly moves: readonly ((now: Moment<D>) => Happened<D>)[]
  /** What a timer records as soon as its time has come. */
  readonly timer?: (now: Moment<D>) => Happened<D>
  readonly records: (now: Moment<D>) => readonly ShownRecord[]
  /** The calls of each route, by its line: one for each kind of body. */
  readonly routes: Readonly<Record<string, readonly Call<D>[]>>
  /** Codes of refusals for something that the record does not show. */
  readonly otherReasons?: readonly string[]
  /** Such as `type CREDIT`, of a record that this stream does not hold. */
  readonly unreachable?: readonly string[]
}

/** The routes of a service that declare `from`, by their lines. */
export const routesWithFrom = (routes: readonly Route[]): ReadonlyMap<string, FromStates> =>
  new Map(routes.flatMap(({ line, from }) => (from ? [[line, from]] : [])))

/** @param declared as `routesWithFrom` collects them */
export function walkThroughStates<D extends Decider>(
  declared: ReadonlyMap<string, FromStates>,
  decider: D,
  walk: Walk<D>,
): void {
  const seen = new Set<string>()
  const wanted = statesOf(declared, walk)
  const step = fc.record({ move: fc.nat({ max: walk.moves.length - 1 }), days: fc.option(fc.nat({ max: 400 })) })
  const property = fc.property(
    fc.constantFrom(...walk.begins),
    fc.array(step, { maxLength: STEPS_MAX, size: 'max' }),
    (begin, steps) => {
      let now = after(decider, momentOf(decider, { state: decider.initial, at: AT, made: 0, past: [] }), begin)
      examine(declared, decider, walk, now, seen)
      for (const { move, days } of steps) {
        const at = new Date(now.at.getTime() + (days ?? 0) * DAY_MS)
        now = moved(decider, walk.timer, momentOf(decider, { ...now, at }))
        now = moved(decider, walk.moves[move], now)
        now = moved(decider, walk.timer, now)
        examine(declared, decider, walk, now, seen)
      }
    },
  )
  const unseen = () => wanted.filter((each) => !seen.has(each))
  for (let round = 0; round < ROUNDS_MAX && (round === 0 || unseen().length > 0); round++)
    fc.assert(property, { numRuns: RUNS })
  expect(unseen(), 'what no sequence has come to').toEqual([])
}

function momentOf<D extends Decider>(decider: D, parts: Omit<Moment<D>, 'decide'>): Moment<D> {
  const decide = (command: string, ask: unknown) => {
    const rule = (decider.commands as Record<string, (...all: unknown[]) => Happened<D>>)[command]!
    return rule(parts.state, ask, { at: parts.at, actor })
  }
  return { ...parts, decide }
}

const evolved = <D extends Decider>(decider: D, { state, at }: Moment<D>, events: Happened<D>): StateOf<D> =>
  events.reduce((before: unknown, event) => decider.evolve(before, event, at), state) as StateOf<D>

const after = <D extends Decider>(decider: D, now: Moment<D>, events: Happened<D>): Moment<D> =>
  momentOf(decider, {
    ...now,
    state: evolved(decider, now, events),
    made: now.made + 1,
    past: [...now.past, ...events],
  })

function moved<D extends Decider>(decider: D, move: Walk<D>['timer'], now: Moment<D>): Moment<D> {
  try {
    return move ? after(decider, now, move(now)) : now
  } catch (error) {
    if (error instanceof Rejection) return now
    throw error
  }
}

type Outcome = 'done' | 'nothing' | Rejection

function outcomeOf<D extends Decider>(decider: D, now: Moment<D>, call: () => Happened<D> | undefined): Outcome {
  try {
    const events = call()
    return events && isDeepStrictEqual(evolved(decider, now, events), now.state) ? 'nothing' : 'done'
  } catch (error) {
    if (error instanceof Rejection) return error
    throw error
  }
}

const isConflict = (outcome: Outcome): outcome is Rejection =>
  outcome instanceof Rejection && outcome.statusCode === 409

function examine<D extends Decider>(
  declared: ReadonlyMap<string, FromStates>,
  decider: D,
  { records, routes, otherReasons = [] }: Walk<D>,
  now: Moment<D>,
  seen: Set<string>,
): void {
  const isPossible = (outcome: Outcome): boolean =>
    outcome === 'done' ||
    (outcome instanceof Rejection && (!isConflict(outcome) || otherReasons.includes(outcome.code)))
  for (const { id, shown } of records(now))
    for (const [line, calls] of Object.entries(routes)) {
      const { states } = declared.get(line)!
      for (const field of Object.keys(states)) seen.add(`${field} ${String(shown[field])}`)
      const outcomes = calls.map((call) => outcomeOf(decider, now, () => call(now, id)))
      const isInside = fits(shown, states)
      for (const outcome of outcomes) seen.add(`${line} ${isInside ? `inside ${String(outcome)}` : 'outside'}`)
      const isHeld = isInside
        ? outcomes.some(isPossible)
        : outcomes.every((each) => each === 'nothing' || isConflict(each))
      expect(
        isHeld,
        `${line} ${isInside ? 'inside' : 'outside'} of its states: ${JSON.stringify(shown)} ${String(outcomes)}`,
      ).toBe(true)
    }
}

/** The values of a field that has few; none of a text. */
function valuesOf(schema: z.ZodType): readonly unknown[] {
  const { enum: values = [], type } = z.toJSONSchema(schema, { unrepresentable: 'any' })
  return type === 'boolean' ? [true, false] : values
}

/** What the walk must come to: each value of the fields that a route's states name, and each route inside and outside. */
function statesOf<D extends Decider>(
  declared: ReadonlyMap<string, FromStates>,
  { routes, unreachable = [] }: Walk<D>,
): readonly string[] {
  return Object.keys(routes).flatMap((line) => {
    const { record, states } = declared.get(line)!
    const values = Object.keys(states).flatMap((field) =>
      valuesOf(record.shape[field] as z.ZodType).map((value) => `${field} ${String(value)}`),
    )
    return [...values.filter((value) => !unreachable.includes(value)), `${line} inside done`, `${line} outside`]
  })
}
