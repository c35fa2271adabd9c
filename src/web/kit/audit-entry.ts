/** An entry of the audit trail, as both services answer it. */
import type { Meta } from './diff.ts'

export interface AuditEntry {
  readonly position: number
  readonly at: string
  readonly actor: {
    readonly type: string
    readonly id: string
    readonly label?: string | null
    readonly ip?: string | null
  }
  readonly action: string
  /** Absent in the history of one record. */
  readonly subject?: { readonly type: string; readonly id: string }
  readonly requestId?: string
  readonly sentence: string
  readonly meta: Meta
  /** The signed checkpoint that covers the entry; absent where the list does not tell. */
  readonly checkpoint?: Checkpoint | null
}

export interface Checkpoint {
  readonly position: number
  readonly at: string
}
