import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'
import { slowest } from './test/support/slowest.ts'

const TESTS = 'test/**/*.test.ts'
/** They start no server, so a run of them alone starts none either: `npm test -- --project rules`. */
const RULES = 'test/**/*.rules.test.ts'

/** Texts of a test file that replaces modules, changes its process or measures its memory: files before or after it would matter. */
const CHANGES_PROCESS =
  /\bvi\.(mock|unmock|doMock|stubEnv|stubGlobal)\(|process\.env\[[^\]]+\] (?:\?\?|\|\|)?=[^=]|process\.chdir|process\.memoryUsage/
/** These are taken back by the file itself, or it runs in a process of its own too. */
const REPLACES = /\bvi\.(useFakeTimers|spyOn)\(/
const TAKES_BACK = /\b(mockRestore|restoreAllMocks|useRealTimers)\(/
/** Texts of a test file that adds network interfaces to this machine: a browser drops its requests whenever one comes or goes. */
const CHANGES_NETWORK = /\bnamespaceLink\(|\bpublishes: true\b/
/**
 * Texts of a test file that compares how long something takes, which other files at work would lengthen. They do not come near ten
 * seconds and more, which tell what ends from what does not.
 */
const COMPARES_TIMES = /(?:performance\.now\(\) - \w+|\w+Ms)\)\.toBeLess\w+\((?!\d\d_\d{3}\))/
/** Storms, and what comes back after a kill. */
const OF_PROCESSES = /^test\/processes\//
const filesIn = (isSo: (text: string) => boolean): string[] =>
  globSync(TESTS).filter((file) => isSo(readFileSync(file, 'utf8')))
const NETWORK = filesIn((text) => CHANGES_NETWORK.test(text))
const OWN_PROCESS = filesIn((text) => CHANGES_PROCESS.test(text) || (REPLACES.test(text) && !TAKES_BACK.test(text)))
const both = OWN_PROCESS.filter((file) => NETWORK.includes(file))
if (both.length > 0) throw new Error(`Of a process of its own and of the network, which share theirs: ${both.join()}`)
const TIMES = [
  ...filesIn((text) => COMPARES_TIMES.test(text)),
  ...globSync(TESTS).filter((file) => OF_PROCESSES.test(file)),
]

/** After all browsers have ended. */
const WITHOUT_BROWSERS = { sequence: { groupOrder: 1 } }
/** No more files at once than there are cores on a small machine. */
const QUIET = { maxWorkers: 2, sequence: { groupOrder: 2 } }

const every = {
  // One more than the cores of a small machine, because tests of processes wait for much of their time.
  maxWorkers: 3,
  // Processes, not threads: tests start servers, change process-wide state and are ended by signals.
  pool: 'forks' as const,
  // Long, and so are the waits for a condition: a busy machine with two slow cores is no reason to fail.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  teardownTimeout: 60_000,
  expect: { poll: { timeout: 10_000 } },
  fsModuleCache: true,
}
const onServer = {
  ...every,
  globalSetup: ['test/support/global-setup.ts'],
  setupFiles: ['test/support/cheap-passwords.ts', 'test/support/quick-answers.ts'],
}

export default defineConfig({
  test: {
    reporters: ['default', slowest],
    sequence: { sequencer: LongestFirst },
    // A process that runs many files imports the sources once, which costs more than most files.
    projects: [
      { extends: false, test: { ...every, name: 'rules', include: [RULES], isolate: false } },
      {
        extends: false,
        test: {
          ...onServer,
          name: 'shared',
          include: [TESTS],
          exclude: [RULES, ...OWN_PROCESS, ...NETWORK, ...TIMES],
          isolate: false,
        },
      },
      {
        extends: false,
        test: {
          ...onServer,
          ...QUIET,
          name: 'times',
          include: TIMES,
          exclude: [RULES, ...OWN_PROCESS],
          isolate: false,
        },
      },
      { extends: false, test: { ...onServer, ...QUIET, name: 'own', include: OWN_PROCESS, isolate: true } },
      {
        extends: false,
        test: {
          ...onServer,
          ...WITHOUT_BROWSERS,
          name: 'network',
          // Three engines at once, their containers and agents.
          expect: { poll: { timeout: 30_000 } },
          include: NETWORK,
          exclude: TIMES,
          isolate: false,
        },
      },
    ],
  },
})
