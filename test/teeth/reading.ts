import type { Break } from './breaks.ts'

const copied = 'test/kernel/store/copied-event.test.ts'

/** Events on their way out of Postgres. */
export const readingBreaks: readonly Break[] = [
  {
    promise: 'a batch of events is whole, over however many blocks of bytes it comes',
    file: 'src/kernel/store/postgres/copied-event.ts',
    find: '    at = 0\n',
    replace: '    at = HEADER_BYTES\n',
    test: copied,
    named: 'over many blocks of bytes',
  },
  {
    promise: 'a plan that was made while the log was small does not read it whole later',
    file: 'src/kernel/store/postgres/lookup-pool.ts',
    find: '`-c enable_${kind}=off`',
    replace: '`-c enable_${kind}=on`',
    test: 'test/kernel/projections/read-cost.test.ts',
  },
  {
    promise: 'a gap in the log hides nothing behind it',
    file: 'src/kernel/store/read-ahead.ts',
    find: 'asked = from === guess ? guessed : withoutUnhandledRejection(readAll(from, batch))',
    replace: 'asked = guessed',
    test: copied,
    named: 'a gap in the log',
  },
  {
    promise: 'a page in the depth of a list is not read',
    file: 'src/kernel/http/pagination.ts',
    find: 'if (before > DEPTH_MAX)',
    replace: 'if (before < 0)',
    test: 'test/kernel/http/listing.test.ts',
    named: 'beyond 100,000 rows is refused',
  },
  {
    promise: 'panel: a page in the depth of a list is not read',
    file: 'src/kernel/resource/array-lists.ts',
    find: "pageOffset(page, pageSize, 'narrow the list down with its filters')",
    replace: '(page - 1) * pageSize',
    test: 'test/panel/service/paging.test.ts',
    named: 'beyond 100,000 rows is refused',
  },
  {
    promise: 'a statement that reads much is ended',
    file: 'src/kernel/store/connection.ts',
    find: 'const WIDE_STATEMENT_MS = 3_000',
    replace: 'const WIDE_STATEMENT_MS = 30_000',
    test: 'test/kernel/projections/wide-reads.test.ts',
    named: 'is refused, and Postgres is done with it',
  },
  {
    promise: 'what reads much takes no connection of other requests',
    file: 'src/kernel/projections/wide-reads.ts',
    find: 'wide.getStore() ? connectionOf(apart) : pool.connect()',
    replace: 'pool.connect()',
    test: 'test/kernel/projections/wide-reads.test.ts',
    named: 'costs what is asked beside it nothing',
  },
  {
    promise: 'what reads much keeps one core busy',
    file: 'src/kernel/store/connection.ts',
    find: "max_parallel_workers_per_gather: '0'",
    replace: "max_parallel_workers_per_gather: '2'",
    test: 'test/kernel/projections/wide-reads.test.ts',
    named: 'keeps no more than one core busy',
  },
  {
    promise: 'an export that has begun waits for its turn',
    file: 'src/kernel/projections/wide-reads.ts',
    find: 'tries === TRIES_MAX || ',
    replace: 'tries === 1 || ',
    test: 'test/kernel/projections/wide-reads.test.ts',
    named: 'waits for its turn',
  },
  {
    promise: 'a service reads its lists over connections of their own',
    file: 'src/composition/core.ts',
    find: 'kyselyFor(service, wide)',
    replace: 'kyselyFor(pool)',
    test: 'test/licensing/service/wide-reads.test.ts',
    named: 'delay no other request',
  },
]
