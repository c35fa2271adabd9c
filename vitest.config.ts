import { defineConfig } from 'vitest/config'
import { slowest } from './test/support/slowest.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/cheap-passwords.ts'],
    reporters: ['default', slowest],
    // Processes, not threads: tests start servers, change process-wide state and are ended by signals.
    pool: 'forks',
    // Two, because each worker keeps a database and often a service of its own busy.
    maxWorkers: 2,
    // Long, and so are the waits for a condition: a busy machine with two slow cores is no reason to fail.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    // Each test file has a process of its own, and most of them import most of the sources.
    fsModuleCache: true,
  },
})
