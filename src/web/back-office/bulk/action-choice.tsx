/** The bulk actions whose permission the person has. */
import { useId } from 'react'
import { postAdminBulk } from '#api-client/licensing/bulk'
import { labelOf } from '../../kit/words.ts'
import { useAccount } from '../../session/context.tsx'

const PERMISSIONS = postAdminBulk.body?.properties?.['action']?.['x-permissions'] ?? {}

export function useOfferedActions(): readonly string[] {
  const { permissions = [] } = useAccount()
  return Object.keys(PERMISSIONS).filter((action) => permissions.includes(PERMISSIONS[action]!))
}

/** `licenses.suspend` becomes `Suspend licenses`. */
export function bulkLabel(action: string): string {
  const [records = '', act = ''] = action.split('.')
  return `${labelOf(act)} ${records}`
}

interface ActionChoiceProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

export function ActionChoice({ value, onChange }: ActionChoiceProps) {
  const id = useId()
  const actions = useOfferedActions()
  return (
    <div className="field">
      <label htmlFor={id}>Action</label>
      <select id={id} className="input" required value={value} onChange={({ target }) => onChange(target.value)}>
        {value === '' && <option value="">–</option>}
        {actions.map((action) => (
          <option key={action} value={action}>
            {bulkLabel(action)}
          </option>
        ))}
      </select>
    </div>
  )
}
