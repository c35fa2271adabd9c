/** Is the process alive, and should it be given work? Two questions: a lost database must not make anybody restart us. */
import { z } from 'zod'
import { answer, everyone, route } from './route.ts'
import type { Route } from './route.ts'

/** Below the 2 s within which readiness is promised to say no: the answer itself takes its time on a busy machine. */
const CHECK_BUDGET_MS = 1_500

export interface HealthCheck {
  readonly name: string
  /** Resolves when all is well, or with what to say when not all is: it is shown to everybody. What it throws is not. */
  ask(): Promise<string | void>
}

export interface Readiness {
  readonly routes: readonly Route[]
  /** From now on not ready, whatever the checks say: the process is about to end. */
  close(): void
}

/** Degraded: some of the work cannot be done, all the rest can, so requests should still come here. */
const State = z.enum(['ok', 'degraded', 'failing'])
const Ready = z.object({
  status: State,
  checks: z.record(z.string(), State),
  notes: z.record(z.string(), z.string()).optional(),
})
type State = z.output<typeof State>
interface CheckResult {
  readonly state: State
  readonly note?: string
}

export function readiness(checks: readonly HealthCheck[]): Readiness {
  let closing = false

  async function ready(): Promise<z.output<typeof Ready>> {
    const found = await Promise.all(checks.map(async (check) => [check.name, await stateOf(check)] as const))
    const notes = found.flatMap(([name, { note }]) => (note === undefined ? [] : [[name, note] as const]))
    return {
      status: closing ? 'failing' : worst(found.map(([, { state }]) => state)),
      checks: Object.fromEntries(found.map(([name, { state }]) => [name, state])),
      ...(notes.length > 0 ? { notes: Object.fromEntries(notes) } : {}),
    }
  }

  return {
    close: () => void (closing = true),
    routes: [
      route('GET /api/health', {
        does: 'Whether the process answers at all.',
        access: everyone,
        evenWhenFull: true,
        reply: z.object({ status: z.literal('ok') }),
        handle: async () => ({ status: 'ok' as const }),
      }),
      route('GET /api/health/ready', {
        does: 'Whether the process can do its work now. Degraded: events are parked or requests are turned away; the rest goes on.',
        access: everyone,
        evenWhenFull: true,
        status: [200, 503],
        reply: Ready,
        handle: async () => {
          const found = await ready()
          return answer(found, found.status === 'failing' ? 503 : 200)
        },
      }),
    ],
  }
}

const worst = (states: readonly State[]): State =>
  (['failing', 'degraded'] as const).find((state) => states.includes(state)) ?? 'ok'

async function stateOf(check: HealthCheck): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, fail) => {
    timer = setTimeout(() => fail(new Error(`${check.name} did not answer`)), CHECK_BUDGET_MS)
  })
  try {
    const note = await Promise.race([check.ask(), late])
    return note === undefined ? { state: 'ok' } : { state: 'degraded', note }
  } catch {
    return { state: 'failing' }
  } finally {
    clearTimeout(timer)
  }
}
