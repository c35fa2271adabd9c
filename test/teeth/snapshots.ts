import type { Break } from './breaks.ts'

const SNAPSHOTS = 'src/kernel/commands/snapshots.ts'

const kernel = 'test/kernel/commands/snapshots.test.ts'

/** States of long streams, kept outside the log. */
export const snapshotBreaks: readonly Break[] = [
  {
    promise: 'snapshots: long streams are not read whole',
    file: 'src/kernel/commands/state-cache.ts',
    find: ' : await this.#snapshot(decider, stream)',
    replace: ' : await Promise.resolve(undefined)',
    test: kernel,
    named: 'reads a long stream from its snapshot on',
  },
  {
    promise: 'snapshots: another version of the rules does not trust them',
    file: SNAPSHOTS,
    find: 'row?.version === decider.snapshot.version',
    replace: 'row !== undefined',
    test: kernel,
    named: 'a decider of another version',
  },
  {
    promise: 'snapshots: of another log they count for nothing',
    file: 'src/kernel/commands/state-cache.ts',
    find: 'last?.id === snapshot.eventId ? snapshot : undefined',
    replace: 'last ? snapshot : undefined',
    test: kernel,
    named: 'one of another log',
  },
  {
    promise: 'snapshots: moved to another stream they do not open',
    file: SNAPSHOTS,
    find: 'JSON.stringify([stream, version, revision, position, eventId])',
    replace: 'JSON.stringify([version, revision, position, eventId])',
    test: kernel,
    named: 'moved to another stream',
  },
  {
    promise: 'snapshots: erasing somebody reaches what they say of him',
    file: SNAPSHOTS,
    find: 'snapshot!.sealedFor(key)',
    replace: "(snapshot!.sealedFor(key) && 'installation')",
    test: kernel,
    named: 'erasing somebody',
  },
  {
    promise: 'snapshots: a late one does not replace a further one',
    file: SNAPSHOTS,
    find: 'WHERE (known.version, known.revision) < (excluded.version, excluded.revision)',
    replace: '',
    test: kernel,
    named: 'the furthest is kept',
  },
  {
    promise: 'snapshots: what cannot be read is as if it were not there',
    file: SNAPSHOTS,
    find: '} catch {',
    replace: '} catch (error) {\n        throw error',
    test: kernel,
    named: 'that is altered',
  },
  {
    promise: 'snapshots: a write that fails is told and hurts nobody',
    file: 'src/kernel/projections/snapshot-writer.ts',
    find: '.catch(onError)',
    replace: '.catch(() => {})',
    test: kernel,
    named: 'no command waits',
  },
  {
    promise: 'snapshots: every process hears which streams have grown long',
    file: 'src/kernel/projections/catch-up.ts',
    find: 'this.#parts.onApplied?.(events)',
    replace: '',
    test: 'test/licensing/service/snapshots.test.ts',
    named: 'the next process goes on from there',
  },
  {
    promise: 'snapshots: nothing of a state is lost in them',
    file: SNAPSHOTS,
    find: 'serialize(state).toString',
    replace: 'serialize(JSON.parse(JSON.stringify(state))).toString',
    test: 'test/licensing/service/snapshots.test.ts',
    named: 'snapshot and tail come to the state',
  },
]
