/** How a schedule is filled in. */
import type { Inputs } from '../projects/environments-choice.tsx'
import { ChoiceField } from './choice-field.tsx'

export const LABELS = {
  cron: 'Cron',
  timezone: 'Time zone',
  runAt: 'At',
}

export const scheduleInputs: Inputs = {
  missed: (value, change) => (
    <ChoiceField
      label="If the panel was down at the time"
      value={value === 'SKIP' ? 'SKIP' : 'ONE'}
      options={[
        ['ONE', 'it deploys once, later'],
        ['SKIP', 'it waits for the next time'],
      ]}
      onChange={change}
    />
  ),
}

export const [BY_CRON, ONCE] = [
  ['cron', 'timezone', 'missed'],
  ['runAt', 'missed'],
]
