import { integer, nullable, oneOf, primary, readModel, text, timestamptz } from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import { panelUpdateEvents } from '#panel/system/events'
import type { CHECK_OUTCOMES } from '#panel/system/events'

const columns = {
  /** The position of the event. */
  position: primary(integer),
  kind: oneOf<'FOUND' | 'CHECKED' | 'APPLIED'>(),
  version: text,
  formerVersion: nullable(text),
  outcome: nullable(oneOf<(typeof CHECK_OUTCOMES)[number]>()),
  at: timestamptz,
}

export type PanelUpdateRow = RowOf<typeof columns>

const NEITHER = { formerVersion: null, outcome: null }

/** The log of the panel's updates. */
export const panelUpdateTable = readModel('panelUpdates', 1, columns, []).from(panelUpdateEvents, {
  PanelUpdateFound: (table, { panelUpdateId: version, runningVersion: formerVersion }, { at, position }) =>
    table.insert({ ...NEITHER, position, kind: 'FOUND', version, formerVersion, at }),
  PanelUpdateChecked: (table, { panelUpdateId: version, outcome }, { at, position }) =>
    table.insert({ ...NEITHER, position, kind: 'CHECKED', version, outcome, at }),
  PanelUpdateApplied: (table, { panelUpdateId: version, formerVersion }, { at, position }) =>
    table.insert({ ...NEITHER, position, kind: 'APPLIED', version, formerVersion, at }),
})
