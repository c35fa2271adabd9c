/**
 * Answers that hide their duration come without delay, except in test files with
 * `vi.unmock('#kernel/credentials/answer-time')`. Those files test the duration. Processes that tests start
 * take the full time.
 */
import { vi } from 'vitest'

vi.mock(import('../../src/kernel/credentials/answer-time.ts'), () => ({ ANSWER_MS: 5 }))
