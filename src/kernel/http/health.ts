/**
 * Liveness and readiness. Liveness does not depend on the database, so that an outage of it restarts no
 * process.
 */
import { z } from 'zod'
import { answer, everyone, route } from './route.ts'
import type { Route } from './route.ts'

/** Readiness must answer within 2 s; the rest is reserve for the response on a busy machine. */
const CHECK_BUDGET_MS = 1_500

export interface HealthCheck {
  readonly name: string
  /**
   * Resolves to nothing if all is well, or to a public note if the work is degraded. An error means
   * failing; its message is not shown.
   */
  ask(): Promise<string | void>
}

export interface Readiness {
  readonly routes: readonly Route[]
  /** Reports failing from now on, whatever the checks say: the process is shutting down. */
  close(): void
}

/** Degraded: part of the work fails. The load balancer should still send requests to this process. */
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
        does: 'Report whether the process answers.',
        access: everyone,
        evenWhenFull: true,
        reply: z.object({ status: z.literal('ok') }),
        handle: async () => ({ status: 'ok' as const }),
      }),
      route('GET /api/health/ready', {
        does: 'Report whether the process is ready to work. `degraded`: events are parked or some requests get 503; the rest works.',
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
    timer = setTimeout(() => fail(new Error(`The health check ${check.name} did not answer in time`)), CHECK_BUDGET_MS)
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
