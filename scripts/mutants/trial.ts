/** Tries a mutant in a copy of the project: whether one of the tests that must notice it fails. */
import type { Copy } from './copy.ts'
import { mutated } from './mutant.ts'
import type { Attempt, Mutant } from './mutant.ts'
import type { Ran } from './runs.ts'
/**
 * `not covered`: no test that passes while nothing is changed speaks of it, imports it or is in its section. `does not fit`: the copy
 * is not of this tree.
 */
export type Verdict = 'caught' | 'survived' | 'not covered' | 'does not fit' | 'stopped'

export interface Outcome {
  readonly mutant: Mutant
  readonly verdict: Verdict
  readonly seconds: number
  /** The test file that noticed. */
  readonly by?: string | undefined
}

/** A busy machine may be too slow once; what fails twice fails. */
const TRIES_MAX = 2

export class Trial {
  readonly #copy: Copy
  readonly #stop: AbortSignal
  /** Of tests that failed with a mutant: whether they pass while nothing is changed. */
  readonly #passes = new Map<string, boolean>()

  constructor(copy: Copy, stop: AbortSignal) {
    this.#copy = copy
    this.#stop = stop
  }

  async try(mutant: Mutant, attempts: readonly Attempt[]): Promise<Outcome> {
    const startedMs = performance.now()
    const outcome = (verdict: Verdict, by?: string): Outcome => {
      return { mutant, verdict, by, seconds: (performance.now() - startedMs) / 1_000 }
    }
    let hasPassed = false
    for (const attempt of attempts) {
      if (attempt.isFresh) await this.#copy.end()
      const ran = await this.#whileMutated(mutant, attempt)
      if (this.#stop.aborted) return outcome('stopped')
      if (!ran) return outcome('does not fit')
      if (isNoticed(mutant, ran) && (await this.#passesUnchanged(attempt, ran))) return outcome('caught', attempt.test)
      hasPassed ||= isGood(ran)
    }
    return outcome(hasPassed ? 'survived' : 'not covered')
  }

  /** Tests that fail in the copy although nothing is changed, so that they say nothing. */
  get unusable(): string[] {
    return [...this.#passes].filter(([, passes]) => !passes).map(([test]) => test)
  }

  #whileMutated(mutant: Mutant, { test, names }: Attempt): Promise<Ran | undefined> {
    return this.#copy.whileChanged(
      mutant.file,
      (whole) => mutated(whole, mutant),
      () => this.#copy.run(test, names),
    )
  }

  async #passesUnchanged({ test, names }: Attempt, { failedName }: Ran): Promise<boolean> {
    const key = failedName === undefined ? test : `${test}: ${failedName}`
    const known = this.#passes.get(key)
    if (known !== undefined) return known
    let passes = false
    for (let tries = 0; tries < TRIES_MAX && !passes && !this.#stop.aborted; tries += 1)
      passes = isGood(await this.#copy.run(test, failedName === undefined ? names : [failedName]))
    this.#passes.set(key, passes)
    return passes
  }
}

const isGood = ({ passed, failed, isWhole }: Ran): boolean => passed > 0 && failed === 0 && isWhole
/** A test failed, or its file could not even be imported: for a break by hand that would prove nothing. */
const isNoticed = ({ attempts }: Mutant, { failed, isWhole }: Ran): boolean =>
  failed > 0 || (attempts === undefined && !isWhole)
