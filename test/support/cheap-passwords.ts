/**
 * Makes password hashes cost a hundredth, except in test files with
 * `vi.unmock('#kernel/credentials/argon2-cost')`. Those files test the cost, or the queue that it causes.
 * Processes that tests start pay the full cost.
 */
import { vi } from 'vitest'

vi.mock(import('../../src/kernel/credentials/argon2-cost.ts'), () => ({
  LIVE_COST: { memoryKiB: 128, passes: 1, lanes: 1 },
}))
