/** The work of a performer that a test calls by itself. */
import type { Performer } from '../../../src/agent/performer.ts'

interface Doing {
  readonly secrets?: unknown
  readonly signal?: AbortSignal
  readonly taskId?: string
  readonly isResumed?: boolean
}

const TASK = '01890000-0000-7000-8000-0000000000aa'
const LONGEST_MS = 60_000

export interface Said {
  readonly of: string
  readonly text: string
}

/** Its payload is checked as that of an envelope. */
export function perform<Result>(
  { kind, perform: run }: Performer,
  payload: unknown,
  { secrets = null, signal = AbortSignal.timeout(LONGEST_MS), taskId = TASK, isResumed = false }: Doing = {},
) {
  const said: Said[] = []
  const work = {
    taskId,
    attempt: 1,
    payload: kind.payload.parse(payload),
    secrets,
    signal,
    isResumed,
    say: async (text: string, of = 'STEP') => void said.push({ of, text }),
    write: async (of: string, text: string) => void said.push({ of, text }),
  }
  const done = run(work as never) as Promise<Result>
  done.catch(() => {})
  return Object.assign(done, { said })
}

/** `done` for what has not failed. */
export const codeOf = (done: Promise<unknown>): Promise<string> =>
  done.then(
    () => 'done',
    ({ code, name }: { readonly code?: unknown; readonly name: string }) => (typeof code === 'string' ? code : name),
  )
