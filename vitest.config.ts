import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { slowest } from './test/support/slowest.ts'

const TESTS = 'test/**/*.test.ts'
/** They start no server, so a run of them alone starts none either: `npm test -- --project rules`. */
const RULES = 'test/**/*.rules.test.ts'

/** Texts of a test file that replaces modules or changes its process, which files after it would notice. */
const CHANGES_PROCESS =
  /\bvi\.(mock|unmock|doMock|useFakeTimers|stubEnv|stubGlobal|spyOn)\(|process\.env\[|process\.chdir/
/** Texts of a test file that adds network interfaces to this machine: a browser drops its requests whenever one comes or goes. */
const CHANGES_NETWORK = /\bnamespaceLink\(|\bpublishes: true\b/
const filesWith = (text: RegExp): string[] => globSync(TESTS).filter((file) => text.test(readFileSync(file, 'utf8')))
const NETWORK = filesWith(CHANGES_NETWORK)
const OWN_PROCESS = filesWith(CHANGES_PROCESS).filter((file) => !NETWORK.includes(file))

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
