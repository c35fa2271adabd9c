import { amounts, states } from '#api-client/licensing/declared'
import type { EventFacts } from '../../kit/diff.ts'

export const EVENT_FACTS: EventFacts = { amounts, states }
