/**
 * What a service takes its time for is not waited for, except in test files with `vi.unmock` of the module that says how long.
 * Those files test it. Processes that tests start take the full time.
 */
import { vi } from 'vitest'

/** Of answers that hide their duration. */
vi.mock(import('../../src/kernel/credentials/answer-time.ts'), () => ({ ANSWER_MS: 5 }))
/** Of a server that closes while its clients keep their connections. */
vi.mock(import('../../src/kernel/http/idle-grace.ts'), () => ({ IDLE_GRACE_MS: 20 }))
/** Most tests start a service and never ask for its documentation. */
vi.mock(import('../../src/kernel/http/openapi/when-made.ts'), () => ({ MADE_AT_START: false }))
