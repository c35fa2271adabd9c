import type { Break } from '../../scripts/mutants/by-hand.ts'
import { eventStoreBreaks } from './by-hand/event-store.ts'
import { historyBreaks } from './by-hand/history.ts'
import { httpBreaks } from './by-hand/http.ts'
import { jobBreaks } from './by-hand/jobs.ts'
import { licensingBreaks } from './by-hand/licensing.ts'
import { panelBreaks } from './by-hand/panel.ts'
import { readModelBreaks } from './by-hand/read-models.ts'
import { signInBreaks } from './by-hand/sign-in.ts'
import { vaultBreaks } from './by-hand/vault.ts'

/** What no generated mutant can express: races, cryptography, durability, and protocols in SQL or in a shell. */
export const BREAKS: readonly Break[] = [
  ...vaultBreaks,
  ...eventStoreBreaks,
  ...readModelBreaks,
  ...historyBreaks,
  ...jobBreaks,
  ...httpBreaks,
  ...signInBreaks,
  ...licensingBreaks,
  ...panelBreaks,
]
