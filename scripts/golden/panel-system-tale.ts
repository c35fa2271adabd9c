/** A version is found, an account asks for newer ones, and the version runs. */
import { panelUpdates } from '#panel/system/decider'
import { told } from './panel-people.ts'
import type { PanelTeller } from './panel-people.ts'

export async function isUpdated(teller: PanelTeller): Promise<void> {
  const note = (running: string, offered: string | null) =>
    told(teller, (unit) => unit.decide(panelUpdates, undefined, 'NoteVersions', { running, offered }))
  await note('0.1.0', '0.2.0')
  await told(teller, (unit) =>
    unit.decide(panelUpdates, undefined, 'NoteCheck', { panelUpdateId: '0.1.0', outcome: 'FOUND' }),
  )
  await note('0.2.0', null)
}
