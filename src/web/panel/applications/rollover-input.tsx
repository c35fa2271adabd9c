/** How new containers take the place of old ones. */
import type { Application } from '#api-client/panel/schemas'
import type { Inputs } from '../projects/environments-choice.tsx'
import { ChoiceField, optionsOf } from './choice-field.tsx'

type Rollover = Application['rollover']

export const ROLLOVERS: Readonly<Record<Rollover, string>> = {
  AUTO: 'the new ones start before the old ones stop, unless a volume is not shared',
  STOP_FIRST: 'the old ones stop first, so it is away for a moment',
}

export const rolloverInput: Inputs = {
  rollover: (value, change) => (
    <ChoiceField
      label="Containers are replaced"
      value={(value as Rollover | undefined) ?? 'AUTO'}
      options={optionsOf(ROLLOVERS)}
      onChange={change}
    />
  ),
}
