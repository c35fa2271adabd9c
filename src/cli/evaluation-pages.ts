/** The pages of an evaluation: they are built while Postgres starts, and again when their sources have changed. */
import { join } from 'node:path'
import { ensureBuilt } from '../web/build.ts'
import { reasonOf } from './reason.ts'

export interface EvaluationPages {
  /** Where the pages are. Undefined: they cannot be built, and `problem` says why. */
  dir(): Promise<string | undefined>
  problem(): string | undefined
  /** Ends a build that still runs. */
  stop(): void
}

/** @param given a directory with built pages */
export function beginPages(dataDir: string, given: string | undefined, tell: (what: string) => void): EvaluationPages {
  const stopping = new AbortController()
  let isNew = false
  let problem: string | undefined
  const built = given === undefined ? ensureBuilt(join(dataDir, 'web'), { onBuild, signal: stopping.signal }) : given
  const known = Promise.resolve(built).catch((error: unknown) => {
    problem = reasonOf(error)
    return undefined
  })

  function onBuild(): void {
    isNew = true
  }

  return {
    dir: async () => {
      if (isNew) tell('Building the pages (only after a change)')
      isNew = false
      return known
    },
    problem: () => problem,
    stop: () => stopping.abort(),
  }
}
