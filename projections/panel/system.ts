import { id, integer, nullable, oneOf, primary, readModel, text, timestamptz } from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import { panelUpdateEvents } from '#panel/system/events'
import type { CHECK_OUTCOMES } from '#panel/system/events'

const columns = {
  /** The position of the event. */
  position: primary(integer),
  kind: oneOf<'FOUND' | 'CHECKED' | 'ASKED' | 'INSTALLED' | 'FAILED' | 'APPLIED'>(),
  version: text,
  formerVersion: nullable(text),
  outcome: nullable(oneOf<(typeof CHECK_OUTCOMES)[number]>()),
  /** Of a version that the panel installs itself. */
  taskId: nullable(id),
  /** Why it was not installed. */
  code: nullable(text),
  at: timestamptz,
}

export type PanelUpdateRow = RowOf<typeof columns>

const NONE = { formerVersion: null, outcome: null, taskId: null, code: null }

/** The log of the panel's updates. */
export const panelUpdateTable = readModel('panelUpdates', 2, columns, []).from(panelUpdateEvents, {
  PanelUpdateFound: (table, { panelUpdateId: version, runningVersion: formerVersion }, { at, position }) =>
    table.insert({ ...NONE, position, kind: 'FOUND', version, formerVersion, at }),
  PanelUpdateChecked: (table, { panelUpdateId: version, outcome }, { at, position }) =>
    table.insert({ ...NONE, position, kind: 'CHECKED', version, outcome, at }),
  PanelUpdateAsked: (table, { panelUpdateId: version, taskId }, { at, position }) =>
    table.insert({ ...NONE, position, kind: 'ASKED', version, taskId, at }),
  PanelUpdateInstalled: (table, { panelUpdateId: version, taskId }, { at, position }) =>
    table.insert({ ...NONE, position, kind: 'INSTALLED', version, taskId, at }),
  PanelUpdateFailed: (table, { panelUpdateId: version, taskId, code }, { at, position }) =>
    table.insert({ ...NONE, position, kind: 'FAILED', version, taskId, code, at }),
  PanelUpdateApplied: (table, { panelUpdateId: version, formerVersion }, { at, position }) =>
    table.insert({ ...NONE, position, kind: 'APPLIED', version, formerVersion, at }),
})
