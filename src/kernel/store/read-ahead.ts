/** Reads long ranges of the log: the next batch is fetched while the current one is processed. */
import type { Position, RecordedEvent } from '../events/store-port.ts'

const READ_BATCH_EVENTS = 4_000

type ReadAll = (after: Position, limit: number) => Promise<readonly RecordedEvent[]>
type Batches = AsyncGenerator<readonly RecordedEvent[], void>

/** For any store: the end of a batch gives the start of the next one. */
export async function* readAhead(readAll: ReadAll, after: Position, batch = READ_BATCH_EVENTS): Batches {
  let events = await readAll(after, batch)
  while (events.length > 0) {
    const next = events.length < batch ? [] : withoutUnhandledRejection(readAll(events.at(-1)!.position, batch))
    yield events
    events = await next
  }
}

/**
 * For consecutive positions: the next batch is requested before this one has arrived, at its start if there is no gap.
 * A batch that is not full is the last one: events requested after it may be newer and leave a gap before them.
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

/** A consumer that stops early never awaits the next batch, and its failure must not end the process. */
function withoutUnhandledRejection<Answer>(asked: Promise<Answer>): Promise<Answer> {
  asked.catch(() => {})
  return asked
}
