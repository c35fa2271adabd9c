import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { reject } from '#kernel/lib/rejection'
import { panelUpdateEvents } from './events.ts'

interface KnownVersions {
  /** The newest one that was found. */
  readonly found: string | null
  /** Null until a version was found. */
  readonly running: string | null
  /** Null unless the panel installs a version itself. */
  readonly installing: { readonly version: string; readonly taskId: string } | null
}

const NOTHING_KNOWN: KnownVersions = { found: null, running: null, installing: null }

interface Versions {
  readonly running: string
  /** Null: no newer one is offered. */
  readonly offered: string | null
}

export const panelUpdates = decider(panelUpdateEvents, {
  initial: NOTHING_KNOWN,
  evolve: {
    PanelUpdateFound: (known, { panelUpdateId: found, runningVersion: running }) => ({ ...known, found, running }),
    PanelUpdateChecked: (known) => known,
    PanelUpdateAsked: (known, { panelUpdateId: version, taskId }) => ({ ...known, installing: { version, taskId } }),
    PanelUpdateInstalled: (known) => ({ ...known, installing: null }),
    PanelUpdateFailed: (known) => ({ ...known, installing: null }),
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
    Ask: ({ installing }, ask: DataOf<typeof panelUpdateEvents.PanelUpdateAsked>) => {
      if (installing) reject('conflict', `Version ${installing.version} is being installed`, 'RUNNING')
      return [panelUpdateEvents.PanelUpdateAsked(ask)]
    },
    /** @param ask.code null: the version serves */
    NoteEnd: ({ installing }, { taskId, code }: { taskId: string; code: string | null }) => {
      if (installing?.taskId !== taskId) return []
      const about = { panelUpdateId: installing.version, taskId }
      return [
        code === null
          ? panelUpdateEvents.PanelUpdateInstalled(about)
          : panelUpdateEvents.PanelUpdateFailed({ ...about, code }),
      ]
    },
    NoteCheck: (_known, ask: DataOf<typeof panelUpdateEvents.PanelUpdateChecked>) => [
      panelUpdateEvents.PanelUpdateChecked(ask),
    ],
  },
})
