import type { ContestantName } from './contestant.ts'

type Kind = 'append' | 'append3' | 'load' | 'claim' | 'catchup' | 'projection' | 'projectionSet' | 'rebuild' | 'visible'

export interface Test {
  readonly name: string
  readonly kind: Kind
  /** How many operations wait for an answer at once. */
  readonly writers: number
  /** The database: one that is emptied for each round, the log that is read, or the shorter log that is projected. */
  readonly on: 'write' | 'read' | 'live'
  readonly contestants: readonly ContestantName[]
  readonly does: string
}

const WRITERS = ['daybook', 'emmett', 'message-db', 'castore', 'bare'] as const
const WITH_PGBENCH = [...WRITERS, 'pgbench'] as const

const append = (writers: number, contestants: readonly ContestantName[], does: string): Test => ({
  name: `append1x${writers}`,
  kind: 'append',
  writers,
  on: 'write',
  contestants,
  does,
})

/** The unit of a rate: appends in the append tests, streams in load20x8, events in the rest. */
export const TESTS: readonly Test[] = [
  append(1, WITH_PGBENCH, 'append 1 event, 1 writer'),
  append(8, WITH_PGBENCH, 'append 1 event, 8 writers'),
  append(32, WITH_PGBENCH, 'append 1 event, 32 writers'),
  append(256, WRITERS, 'append 1 event, 256 in flight'),
  {
    name: 'append3x32',
    kind: 'append3',
    writers: 32,
    on: 'write',
    contestants: WITH_PGBENCH,
    does: '3 events, expected revision, 32 writers',
  },
  {
    name: 'load20x8',
    kind: 'load',
    writers: 8,
    on: 'read',
    contestants: WITH_PGBENCH,
    does: 'load a stream of 20 events, 8 readers',
  },
  {
    name: 'catchup',
    kind: 'catchup',
    writers: 1,
    on: 'read',
    contestants: ['daybook', 'emmett', 'message-db', 'bare', 'copy'],
    does: 'catch up, in order, events parsed',
  },
  {
    name: 'projection',
    kind: 'projection',
    writers: 1,
    on: 'live',
    contestants: ['daybook', 'emmett', 'bare'],
    does: 'project event by event, with checkpoint',
  },
  {
    name: 'rebuild',
    kind: 'rebuild',
    writers: 1,
    on: 'read',
    contestants: ['daybook', 'emmett', 'copy'],
    does: 'rebuild a read model from the whole log',
  },
]

/** Tests beside the table: needed by goals or questions, and absent in the peers. */
export const MORE: readonly Test[] = [
  {
    name: 'claim1x32',
    kind: 'claim',
    writers: 32,
    on: 'write',
    contestants: ['daybook'],
    does: 'append 1 event that takes a claim, 32 writers',
  },
  {
    name: 'projectionSet',
    kind: 'projectionSet',
    writers: 1,
    on: 'live',
    contestants: ['daybook'],
    does: 'project batch by batch, with checkpoint',
  },
  {
    name: 'visible',
    kind: 'visible',
    writers: 1,
    on: 'write',
    contestants: ['daybook'],
    does: 'append until visible in a read model',
  },
]
