import { decider } from '#kernel/decider'
import type { DataOf } from '#kernel/event'
import { reject } from '#kernel/rejection'
import { LicenseKeySet, LicenseRemoved, LicenseRevalidated, LicenseStateChanged, panelLicenseEvents } from './events.ts'

export type LicenseState = DataOf<typeof LicenseStateChanged>

export interface PanelLicense extends LicenseState {
  readonly licenseKey: string
}

/** A key that was set and has not been activated yet. */
const NOT_YET = {
  state: 'FREE',
  reason: 'NOT_ACTIVATED',
  plan: 'free',
  features: {},
  expiresAt: null,
  graceUntil: null,
  source: null,
} as const

/** Undefined: there never was a key; null: it was removed, and an environment that still names it brings it back no more. */
export const panelLicense = decider(panelLicenseEvents, {
  initial: undefined as PanelLicense | null | undefined,
  evolve: {
    // What the one before it allowed goes on until it is known what this one does.
    LicenseKeySet: (known, { licenseId, licenseKey }) => ({ ...(known ?? NOT_YET), licenseId, licenseKey }),
    LicenseStateChanged: (known, state) => ({ ...known!, ...state }),
    LicenseRevalidated: (known) => known,
    LicenseRemoved: () => null,
  },
  commands: {
    SetKey: (_known, key: Omit<DataOf<typeof LicenseKeySet>, 'from'>) => [LicenseKeySet({ ...key, from: 'ADMIN' })],
    /** That of the environment counts once in the life of an installation. */
    SetFirstKey: (known, key: Omit<DataOf<typeof LicenseKeySet>, 'from'>) =>
      known === undefined ? [LicenseKeySet({ ...key, from: 'ENVIRONMENT' })] : [],
    NoteState: (known, state: LicenseState) =>
      known && spelled(known) !== spelled(state) ? [LicenseStateChanged(state)] : [],
    NoteRevalidation: (known, asked: Omit<DataOf<typeof LicenseRevalidated>, 'licenseId'>) => [
      LicenseRevalidated({ licenseId: present(known).licenseId, ...asked }),
    ],
    RemoveKey: (known, _ask: object) => [LicenseRemoved({ licenseId: present(known).licenseId })],
  },
})

const spelled = ({ licenseId, state, reason, plan, features, expiresAt, graceUntil, source }: LicenseState): string =>
  JSON.stringify([licenseId, state, reason, plan, features, expiresAt, graceUntil, source])

/** @throws Rejection 409 where there is no key */
export function present(known: PanelLicense | null | undefined): PanelLicense {
  return known ?? reject('conflict', 'This panel has no license key', 'NO_LICENSE_KEY')
}
