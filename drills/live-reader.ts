/** Reads on from the last position that it met, as a subscriber does, and records what it got. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Position } from '../src/kernel/events/store-port.ts'

const BATCH = 1_000
const PAUSE_MS = 1
/** In ms. The server may be down for seconds. */
const AGAIN_MS = 20

interface Readable {
  readAll(after: Position, limit: number): Promise<readonly { readonly id: string; readonly position: Position }[]>
}

export interface ReadSoFar {
  readonly ids: ReadonlySet<string>
  /** The number of delivered events; larger than the number of ids if one came twice. */
  readonly delivered: number
  readonly batches: number
}

/**
 * `finish` reads the rest when no writer is running any more. A reader whose connection was cut continues
 * where it was.
 */
export function liveReader(store: Readable): { finish(): Promise<ReadSoFar> } {
  const ids = new Set<string>()
  let [delivered, batches, finishing] = [0, 0, false]
  let cursor: Position = 0

  async function batch(): Promise<number> {
    const events = await store.readAll(cursor, BATCH).catch(() => undefined)
    if (!events) return pause(AGAIN_MS, 1)
    for (const { id } of events) ids.add(id)
    delivered += events.length
    batches += events.length > 0 ? 1 : 0
    cursor = events.at(-1)?.position ?? cursor
    return events.length
  }

  async function follow(): Promise<void> {
    for (;;) {
      const isLast = finishing
      if ((await batch()) > 0) continue
      if (isLast) return
      await pause(PAUSE_MS)
    }
  }

  const following = follow()
  return {
    async finish() {
      finishing = true
      await following
      return { ids, delivered, batches }
    },
  }
}
