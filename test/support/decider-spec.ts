/**
 * Specifications of deciders: given these events, when this command arrives, then these events follow, or a
 * rejection.
 */
import { expect } from 'vitest'
import type { CommandInputOf, Decider, DecisionContext } from '#kernel/events/decider'
import type { EventIn } from '#kernel/events/event'
import { Rejection } from '#kernel/lib/rejection'

export const AT = new Date('2026-01-01T00:00:00.000Z')
const SOMEBODY = { type: 'STAFF', id: '01890000-0000-7000-8000-000000000001' }

/** Each given event happened at `at`, unless `[event, Date]` names another time. */
export function given<D extends Decider>(
  decider: D,
  events: readonly (EventIn<D['stream']> | [EventIn<D['stream']>, Date])[] = [],
) {
  const state = events.reduce((before: unknown, each) => {
    const [event, at] = Array.isArray(each) ? each : [each, AT]
    return decider.evolve(before, event, at)
  }, decider.initial as unknown)
  return {
    state: state as never,
    when<Name extends keyof D['commands'] & string>(
      command: Name,
      ask: CommandInputOf<D, Name>,
      deciding: Partial<DecisionContext> = {},
    ) {
      const decide = () => {
        const rule = (decider.commands as Record<string, (...all: unknown[]) => unknown>)[command]!
        return rule(state, ask, { at: AT, actor: SOMEBODY, ...deciding })
      }
      return {
        then: (expected: readonly EventIn<D['stream']>[]) => expect(decide()).toEqual(expected),
        events: () => decide() as EventIn<D['stream']>[],
        refused: (statusCode: number, message: string | RegExp) => expectRefused(decide, statusCode, message),
      }
    },
  }
}

function expectRefused(decide: () => unknown, statusCode: number, message: string | RegExp): void {
  try {
    const events = decide()
    expect.fail(`was not refused: ${JSON.stringify(events)}`)
  } catch (error) {
    if (!(error instanceof Rejection)) throw error
    expect(error.statusCode).toBe(statusCode)
    if (message instanceof RegExp) expect(error.message).toMatch(message)
    else expect(error.message).toBe(message)
  }
}
