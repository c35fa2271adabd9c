import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { reject } from '#kernel/lib/rejection'
import { panelLicenseEvents } from './events.ts'

export type LicenseState = DataOf<typeof panelLicenseEvents.LicenseStateChanged>

export interface PanelLicense extends LicenseState {
  readonly licenseKey: string
  /** The grace end of the last reminder, and how many days before it the reminder was due. */
  readonly reminded: { readonly graceUntil: string; readonly days: number } | null
}

/** Source: licensing.md 9. */
const REMINDERS_DAYS = [1, 3, 7, 14]
const DAY_MS = 86_400_000

/** A key that was set but not activated yet. */
const NOT_ACTIVATED = {
  state: 'FREE',
  reason: 'NOT_ACTIVATED',
  plan: 'free',
  features: {},
  expiresAt: null,
  graceUntil: null,
  source: null,
  reminded: null,
} as const

/** Undefined: no key was ever set. Null: it was removed, and the environment's key does not bring it back. */
export const panelLicense = decider(panelLicenseEvents, {
  initial: undefined as PanelLicense | null | undefined,
  evolve: {
    // The rights of the previous key stay until the state of the new one is known.
    LicenseKeySet: (known, { licenseId, licenseKey }) => ({ ...(known ?? NOT_ACTIVATED), licenseId, licenseKey }),
    LicenseStateChanged: (known, state) => ({ ...known!, ...state }),
    LicenseRevalidated: (known) => known,
    LicenseGraceReminded: (known, { graceUntil, days }) => ({ ...known!, reminded: { graceUntil, days } }),
    LicenseRemoved: () => null,
  },
  commands: {
    SetKey: (_known, key: Omit<DataOf<typeof panelLicenseEvents.LicenseKeySet>, 'from'>) => [
      panelLicenseEvents.LicenseKeySet({ ...key, from: 'ADMIN' }),
    ],
    /** The key of the environment is used only once in the life of an installation. */
    SetFirstKey: (known, key: Omit<DataOf<typeof panelLicenseEvents.LicenseKeySet>, 'from'>) =>
      known === undefined ? [panelLicenseEvents.LicenseKeySet({ ...key, from: 'ENVIRONMENT' })] : [],
    NoteState: (known, state: LicenseState) =>
      known && canonicalState(known) !== canonicalState(state) ? [panelLicenseEvents.LicenseStateChanged(state)] : [],
    NoteRevalidation: (known, asked: Omit<DataOf<typeof panelLicenseEvents.LicenseRevalidated>, 'licenseId'>) => [
      panelLicenseEvents.LicenseRevalidated({ licenseId: requireLicense(known).licenseId, ...asked }),
    ],
    /** After a delay, records only the reminder that is due now, not the missed ones. */
    RemindOfGrace: (known, _ask: object, { at }) => {
      const due = known ? dueReminder(known, at) : undefined
      if (!due || isReminded(known!, due)) return []
      const { licenseId, plan } = known!
      return [panelLicenseEvents.LicenseGraceReminded({ licenseId, plan, ...due })]
    },
    RemoveKey: (known, _ask: object) => [
      panelLicenseEvents.LicenseRemoved({ licenseId: requireLicense(known).licenseId }),
    ],
  },
})

interface DueReminder {
  readonly graceUntil: string
  readonly days: number
}

/** The smallest reminder period that the remaining time fits in; undefined without a running grace period. */
function dueReminder({ state, graceUntil }: PanelLicense, at: Date): DueReminder | undefined {
  if (graceUntil === null || (state !== 'GRACE' && state !== 'TAMPERED')) return undefined
  const leftMs = Date.parse(graceUntil) - at.getTime()
  const days = leftMs <= 0 ? undefined : REMINDERS_DAYS.find((each) => leftMs <= each * DAY_MS)
  return days === undefined ? undefined : { graceUntil, days }
}

const isReminded = ({ reminded }: PanelLicense, { graceUntil, days }: DueReminder): boolean =>
  reminded?.graceUntil === graceUntil && reminded.days <= days

const canonicalState = ({
  licenseId,
  state,
  reason,
  plan,
  features,
  expiresAt,
  graceUntil,
  source,
}: LicenseState): string => JSON.stringify([licenseId, state, reason, plan, features, expiresAt, graceUntil, source])

/** @throws Rejection 409 if no key is set */
export function requireLicense(known: PanelLicense | null | undefined): PanelLicense {
  return known ?? reject('conflict', 'This panel has no license key: set one first', 'NO_LICENSE_KEY')
}
