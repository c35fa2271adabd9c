import type { Break } from './breaks.ts'

const copied = 'test/kernel/copied-event.test.ts'

/** Events on their way out of Postgres. */
export const readingBreaks: readonly Break[] = [
  {
    promise: 'a batch of events is whole, over however many blocks of bytes it comes',
    file: 'src/kernel/store/copied-event.ts',
    find: '    at = 0\n',
    replace: '    at = HEADER_BYTES\n',
    test: copied,
    named: 'over many blocks of bytes',
  },
  {
    promise: 'a plan that was made while the log was small does not read it whole later',
    file: 'src/kernel/store/by-key.ts',
    find: '`-c enable_${kind}=off`',
    replace: '`-c enable_${kind}=on`',
    test: 'test/kernel/read-cost.test.ts',
  },
  {
    promise: 'a gap in the log hides nothing behind it',
    file: 'src/kernel/store/read-ahead.ts',
    find: 'asked = from === guess ? guessed : heard(readAll(from, batch))',
    replace: 'asked = guessed',
    test: copied,
    named: 'a gap in the log',
  },
  {
    promise: 'a page in the depth of a list is not read',
    file: 'src/kernel/listing.ts',
    find: 'if (before > DEPTH_MAX)',
    replace: 'if (before < 0)',
    test: 'test/kernel/listing.test.ts',
    named: 'beyond 100,000 rows is refused',
  },
  {
    promise: 'panel: a page in the depth of a list is not read',
    file: 'src/panel/paging.ts',
    find: "rowsBefore(page, pageSize, 'narrow the list down with its filters')",
    replace: '(page - 1) * pageSize',
    test: 'test/panel/paging.test.ts',
    named: 'beyond 100,000 rows is refused',
  },
]
