/** A version is found, an account asks for newer ones, and the panel installs it at the second try. */
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
  const install = async (task: string, code: string | null) => {
    const asked = { panelUpdateId: '0.2.0', taskId: task, sha256: '5a'.repeat(32), size: 1_048_576 }
    await told(teller, (unit) => unit.decide(panelUpdates, undefined, 'Ask', asked))
    await told(teller, (unit) => unit.decide(panelUpdates, undefined, 'NoteEnd', { taskId: task, code }))
  }
  await install('01890000-0000-7000-8000-000000000001', 'TAKEN_BACK')
  await install('01890000-0000-7000-8000-000000000002', null)
  await note('0.2.0', null)
}
