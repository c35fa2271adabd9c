import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { slowest } from './test/support/slowest.ts'

const TESTS = 'test/**/*.test.ts'

/** Texts of a test file that replaces modules or changes its process, which files after it would notice. */
const CHANGES_PROCESS =
  /\bvi\.(mock|unmock|doMock|useFakeTimers|stubEnv|stubGlobal|spyOn)\(|process\.env\[|process\.chdir/
const OWN_PROCESS = globSync(TESTS).filter(
  (file) => /^test\/(cli|evaluation|processes|house)\//.test(file) || CHANGES_PROCESS.test(readFileSync(file, 'utf8')),
)

const shared = {
  setupFiles: ['test/support/cheap-passwords.ts'],
  // One more than the cores of a small machine: tests of processes wait for much of their time.
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

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', slowest],
    // The setup is of the run: inherited by the projects, it would start a server for each.
    projects: [
      // One process after another runs many files, because importing most of the sources costs more than most files.
      { extends: false, test: { ...shared, name: 'shared', include: [TESTS], exclude: OWN_PROCESS, isolate: false } },
      { extends: false, test: { ...shared, name: 'own', include: OWN_PROCESS, isolate: true } },
    ],
  },
})
