import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { panelUpdateEvents } from './events.ts'

interface KnownVersions {
  /** The newest one that was found. */
  readonly found: string | null
  /** Null until a version was found. */
  readonly running: string | null
}

const NOTHING_KNOWN: KnownVersions = { found: null, running: null }

interface Versions {
  readonly running: string
  /** Null: no newer one is offered. */
  readonly offered: string | null
}

export const panelUpdates = decider(panelUpdateEvents, {
  initial: NOTHING_KNOWN,
  evolve: {
    PanelUpdateFound: (_known, { panelUpdateId: found, runningVersion: running }) => ({ found, running }),
    PanelUpdateChecked: (known) => known,
    PanelUpdateApplied: (known, { panelUpdateId: running }) => ({ ...known, running }),
  },
  commands: {
    /** Records what is new since the last check. */
    NoteVersions: (known, { running, offered }: Versions) => {
      const { running: formerVersion } = known
      const isOther = formerVersion !== null && formerVersion !== running
      return [
        ...(isOther ? [panelUpdateEvents.PanelUpdateApplied({ panelUpdateId: running, formerVersion })] : []),
        ...(offered !== null && offered !== known.found
          ? [panelUpdateEvents.PanelUpdateFound({ panelUpdateId: offered, runningVersion: running })]
          : []),
      ]
    },
    NoteCheck: (_known, ask: DataOf<typeof panelUpdateEvents.PanelUpdateChecked>) => [
      panelUpdateEvents.PanelUpdateChecked(ask),
    ],
  },
})
