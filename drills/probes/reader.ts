/**
 * A process that reads along and takes one snapshot of the log after another, until it is told to finish.
 * Arguments: subject, URL of an empty database.
 */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { liveReader } from '../live-reader.ts'
import type { Opened } from './subject.ts'
import { subjectNamed } from './subjects.ts'

const CONNECTIONS = 4
const LOOK_EACH_MS = 20

export interface ReadAlong {
  readonly stored: number
  /** Stored, and never delivered to the reader. */
  readonly missed: number
  /** Delivered to the reader more than once. */
  readonly repeated: number
  readonly batches: number
  readonly snapshots: number
  /** Positions that a snapshot did not show although it showed a higher one. */
  readonly gaps: number
}

/** Each snapshot reads what is above the highest position seen before, so that a gap counts once. */
function snapshots({ snapshot }: Opened) {
  let [looks, gaps, seen, stopping] = [0, 0, 0, false]
  async function look(): Promise<void> {
    const { events, newest } = await snapshot(seen)
    looks += 1
    gaps += newest - seen - events
    seen = newest
  }
  async function lookOn(): Promise<void> {
    // There is no snapshot while the server is down.
    for (; !stopping; await pause(LOOK_EACH_MS)) await look().catch(() => {})
  }
  const looking = lookOn()
  return async () => {
    stopping = true
    await looking
    await look()
    return { snapshots: looks, gaps }
  }
}

const [name = '', url = ''] = process.argv.slice(2)
process.on('uncaughtException', (error) => {
  // Some peers do not handle the errors of killed connections.
  if (!/terminat|ECONN|closed|queryable|EPIPE/i.test(String(error))) throw error
})
process.once('disconnect', () => process.exit())
const subject = subjectNamed(name)
await subject.setup(url)
const opened = await subject.open(url, CONNECTIONS)
const reader = liveReader(opened)
const looked = snapshots(opened)
process.send?.('ready')
await once(process, 'message')
// In this order: what a killed writer sent may be stored until the server notices, even after the reader has read the rest.
const stored = await opened.stored()
const read = await reader.finish()
const found: ReadAlong = {
  stored: stored.length,
  missed: stored.filter((id) => !read.ids.has(id)).length,
  repeated: read.delivered - read.ids.size,
  batches: read.batches,
  ...(await looked()),
}
process.send?.(found, () => process.exit())
