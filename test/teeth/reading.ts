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
]
