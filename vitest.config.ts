import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    // Processes, not threads: tests start servers, change process-wide state and are ended by signals.
    pool: 'forks',
    // Two, because each worker keeps a database and often a service of its own busy.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    teardownTimeout: 60_000,
  },
})
