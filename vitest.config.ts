import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { slowest } from './test/support/slowest.ts'

const TESTS = 'test/**/*.test.ts'
/** They start no server, so a run of them alone starts none either: `npm test -- --project rules`. */
const RULES = 'test/**/*.rules.test.ts'

/** Texts of a test file that replaces modules or changes its process, which files after it would notice. */
const CHANGES_PROCESS =
  /\bvi\.(mock|unmock|doMock|stubEnv|stubGlobal)\(|process\.env\[[^\]]+\] (?:\?\?|\|\|)?=[^=]|process\.chdir/
/** These are taken back by the file itself, or it runs in a process of its own too. */
const REPLACES = /\bvi\.(useFakeTimers|spyOn)\(/
const TAKES_BACK = /\b(mockRestore|restoreAllMocks|useRealTimers)\(/
/** Texts of a test file that adds network interfaces to this machine: a browser drops its requests whenever one comes or goes. */
const CHANGES_NETWORK = /\bnamespaceLink\(|\bpublishes: true\b/
const filesIn = (isSo: (text: string) => boolean): string[] =>
  globSync(TESTS).filter((file) => isSo(readFileSync(file, 'utf8')))
const NETWORK = filesIn((text) => CHANGES_NETWORK.test(text))
const OWN_PROCESS = filesIn(
  (text) => CHANGES_PROCESS.test(text) || (REPLACES.test(text) && !TAKES_BACK.test(text)),
).filter((file) => !NETWORK.includes(file))

const every = {
  // One more than the cores of a small machine, because tests of processes wait for much of their time. Continuous integration takes
  // one for each core: storms and deadlines are tested there under less load.
  maxWorkers: process.env['CI'] ? 2 : 3,
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
    // A process that runs many files imports the sources once, which costs more than most files.
    projects: [
      { extends: false, test: { ...every, name: 'rules', include: [RULES], isolate: false } },
      {
        extends: false,
        test: {
          ...onServer,
          name: 'shared',
          include: [TESTS],
          exclude: [RULES, ...OWN_PROCESS, ...NETWORK],
          isolate: false,
        },
      },
      { extends: false, test: { ...onServer, name: 'own', include: OWN_PROCESS, isolate: true } },
      {
        extends: false,
        test: { ...onServer, name: 'network', include: NETWORK, isolate: true, sequence: { groupOrder: 1 } },
      },
    ],
  },
})
