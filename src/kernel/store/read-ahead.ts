/** Reading long stretches of the log: the next batch is on its way while the last one is worked on. */
import type { Position, RecordedEvent } from '../events/store-port.ts'

const READ_BATCH_EVENTS = 4_000

type ReadAll = (after: Position, limit: number) => Promise<readonly RecordedEvent[]>
type Batches = AsyncGenerator<readonly RecordedEvent[], void>

/** For any store: a batch tells where the next one begins. */
export async function* readAhead(readAll: ReadAll, after: Position, batch = READ_BATCH_EVENTS): Batches {
  let events = await readAll(after, batch)
  while (events.length > 0) {
    const next = events.length < batch ? [] : withoutUnhandledRejection(readAll(events.at(-1)!.position, batch))
    yield events
    events = await next
  }
}

/**
 * For positions that count: the next batch is asked for before this one has arrived, from where it begins unless there is a gap.
 * Behind a batch that was not full nothing is looked at: it may have been appended since, and begin later than that one ended.
 */
export async function* readWithoutGaps(readAll: ReadAll, after: Position, batch = READ_BATCH_EVENTS): Batches {
  let from = after
  let asked = withoutUnhandledRejection(readAll(from, batch))
  for (;;) {
    const guess = from + batch
    const guessed = withoutUnhandledRejection(readAll(guess, batch))
    const events = await asked
    if (events.length > 0) yield events
    if (events.length < batch) return
    from = events.at(-1)!.position
    asked = from === guess ? guessed : withoutUnhandledRejection(readAll(from, batch))
  }
}

/** Whoever stops early awaits it no more, and its failure must not end the process. */
function withoutUnhandledRejection<Answer>(asked: Promise<Answer>): Promise<Answer> {
  asked.catch(() => {})
  return asked
}
