import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { reject } from '#kernel/lib/rejection'
import {
  LicenseGraceReminded,
  LicenseKeySet,
  LicenseRemoved,
  LicenseRevalidated,
  LicenseStateChanged,
  panelLicenseEvents,
} from './events.ts'

export type LicenseState = DataOf<typeof LicenseStateChanged>

export interface PanelLicense extends LicenseState {
  readonly licenseKey: string
  /** Of which end people were reminded last, and how many days before it. */
  readonly reminded: { readonly graceUntil: string; readonly days: number } | null
}

/** licensing.md 9. */
const REMINDERS_DAYS = [1, 3, 7, 14]
const DAY_MS = 86_400_000

/** A key that was set and has not been activated yet. */
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

/** Undefined: there never was a key; null: it was removed, and an environment that still names it brings it back no more. */
export const panelLicense = decider(panelLicenseEvents, {
  initial: undefined as PanelLicense | null | undefined,
  evolve: {
    // What the one before it allowed goes on until it is known what this one does.
    LicenseKeySet: (known, { licenseId, licenseKey }) => ({ ...(known ?? NOT_ACTIVATED), licenseId, licenseKey }),
    LicenseStateChanged: (known, state) => ({ ...known!, ...state }),
    LicenseRevalidated: (known) => known,
    LicenseGraceReminded: (known, { graceUntil, days }) => ({ ...known!, reminded: { graceUntil, days } }),
    LicenseRemoved: () => null,
  },
  commands: {
    SetKey: (_known, key: Omit<DataOf<typeof LicenseKeySet>, 'from'>) => [LicenseKeySet({ ...key, from: 'ADMIN' })],
    /** That of the environment counts once in the life of an installation. */
    SetFirstKey: (known, key: Omit<DataOf<typeof LicenseKeySet>, 'from'>) =>
      known === undefined ? [LicenseKeySet({ ...key, from: 'ENVIRONMENT' })] : [],
    NoteState: (known, state: LicenseState) =>
      known && canonicalState(known) !== canonicalState(state) ? [LicenseStateChanged(state)] : [],
    NoteRevalidation: (known, asked: Omit<DataOf<typeof LicenseRevalidated>, 'licenseId'>) => [
      LicenseRevalidated({ licenseId: requireLicense(known).licenseId, ...asked }),
    ],
    /** Whoever comes late is told once, and not of everything that he has missed. */
    RemindOfGrace: (known, _ask: object, { at }) => {
      const due = known ? dueReminder(known, at) : undefined
      if (!due || isReminded(known!, due)) return []
      const { licenseId, plan } = known!
      return [LicenseGraceReminded({ licenseId, plan, ...due })]
    },
    RemoveKey: (known, _ask: object) => [LicenseRemoved({ licenseId: requireLicense(known).licenseId })],
  },
})

interface DueReminder {
  readonly graceUntil: string
  readonly days: number
}

/** The least of the days that it ends within; undefined where there is no grace, or none any more. */
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

/** @throws Rejection 409 where there is no key */
export function requireLicense(known: PanelLicense | null | undefined): PanelLicense {
  return known ?? reject('conflict', 'This panel has no license key', 'NO_LICENSE_KEY')
}
