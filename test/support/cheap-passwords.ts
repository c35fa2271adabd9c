/**
 * Password hashes of a hundredth of their cost, in every test file that does not say `vi.unmock('#kernel/credentials/argon2-cost')`: those
 * that are about the cost, or about the queue that forms behind it. Processes that tests start pay the whole of it.
 */
import { vi } from 'vitest'

vi.mock(import('../../src/kernel/credentials/argon2-cost.ts'), () => ({
  LIVE_COST: { memoryKiB: 128, passes: 1, lanes: 1 },
}))
