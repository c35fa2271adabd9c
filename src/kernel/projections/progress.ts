/** The known positions of the read models, for requests that wait for them. */
import type { Position } from '../events/store-port.ts'
import type { ProjectionCheckpoint } from './checkpoints.ts'
import { errorText } from './parked-events.ts'

interface StuckModel {
  readonly at: Position
  readonly message: string
}

export class ProjectionProgress {
  readonly #passed = new Map<string, Position>()
  readonly #parked = new Map<string, number>()
  readonly #standing = new Map<string, StuckModel>()
  readonly #applied = new Map<string, number>()
  readonly #listeners = new Set<() => void>()

  /** Takes checkpoints that were read from the database or moved by this process. */
  update(checkpoints: readonly ProjectionCheckpoint[]): void {
    for (const checkpoint of checkpoints) this.#pass(checkpoint)
    for (const listener of this.#listeners) listener()
  }

  /** Another process may have moved a stalled read model. Checkpoints older than the known one are ignored. */
  #pass({ name, position, parked }: ProjectionCheckpoint): void {
    if (position < (this.#passed.get(name) ?? 0)) return
    this.#passed.set(name, position)
    this.#parked.set(name, parked)
    if (position > (this.#standing.get(name)?.at ?? position)) this.#standing.delete(name)
  }

  hasPassed(names: readonly string[], position: Position): boolean {
    return names.every((name) => (this.#passed.get(name) ?? 0) >= position)
  }

  /** The read models with parked events. Complete up to the positions that `hasPassed` reports. */
  withParked(names: readonly string[]): string[] {
    return names.filter((name) => (this.#parked.get(name) ?? 0) > 0)
  }

  /** @returns false when the same error was already reported */
  markStuck(name: string, at: Position, error: unknown): boolean {
    const message = errorText(error)
    const before = this.#standing.get(name)
    this.#standing.set(name, { at, message })
    return before?.message !== message
  }

  stuckMessage(name: string): string | undefined {
    return this.#standing.get(name)?.message
  }

  /** Counts events that this process has applied. */
  addApplied(name: string, events: number): void {
    this.#applied.set(name, this.appliedCount(name) + events)
  }

  appliedCount(name: string): number {
    return this.#applied.get(name) ?? 0
  }

  /** Resolves at the next `update` with true, or after `timeoutMs` with false. */
  waitForUpdate(timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isUpdated: boolean) => {
        this.#listeners.delete(updated)
        clearTimeout(timer)
        resolve(isUpdated)
      }
      const updated = () => end(true)
      const timer = setTimeout(end, timeoutMs, false)
      this.#listeners.add(updated)
    })
  }
}
