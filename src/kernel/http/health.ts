/** Is the process alive, and should it be given work? Two questions: a lost database must not make anybody restart us. */
import { z } from 'zod'
import { answer, everyone, route } from './route.ts'
import type { Route } from './route.ts'

/** Below the 2 s within which readiness is promised to say no: the answer itself takes its time on a busy machine. */
const CHECK_BUDGET_MS = 1_500

export interface Check {
  readonly name: string
  /** Resolves when all is well; what it throws is not shown. */
  ask(): Promise<void>
}

export interface Readiness {
  readonly routes: readonly Route[]
  /** From now on not ready, whatever the checks say: the process is about to end. */
  close(): void
}

const State = z.enum(['ok', 'failing'])
const Ready = z.object({ status: State, checks: z.record(z.string(), State) })

export function readiness(checks: readonly Check[]): Readiness {
  let closing = false

  async function ready(): Promise<z.output<typeof Ready>> {
    const states = await Promise.all(checks.map(async (check) => [check.name, await stateOf(check)] as const))
    const failing = closing || states.some(([, state]) => state === 'failing')
    return { status: failing ? 'failing' : 'ok', checks: Object.fromEntries(states) }
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
        does: 'Whether the process can do its work now: its database answers and its read models follow.',
        access: everyone,
        evenWhenFull: true,
        status: [200, 503],
        reply: Ready,
        handle: async () => {
          const found = await ready()
          return answer(found, found.status === 'ok' ? 200 : 503)
        },
      }),
    ],
  }
}

async function stateOf(check: Check): Promise<z.output<typeof State>> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, fail) => {
    timer = setTimeout(() => fail(new Error(`${check.name} did not answer`)), CHECK_BUDGET_MS)
  })
  try {
    await Promise.race([check.ask(), late])
    return 'ok'
  } catch {
    return 'failing'
  } finally {
    clearTimeout(timer)
  }
}
