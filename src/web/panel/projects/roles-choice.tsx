/** Roles of a project by their names, to read and to choose. */
import { useId, useState } from 'react'
import type { Operation } from '#api-client/operation'
import { getProjectsByIdRoles } from '#api-client/panel/projects'
import { chosenIn } from '../../kit/select-input.tsx'
import { wordOf } from '../../kit/words.ts'
import { useList } from '../../session/context.tsx'
import { environmentInput } from './environments-choice.tsx'
import type { ChoiceProps, Inputs } from './environments-choice.tsx'
import { useProject } from './rights.tsx'

export const useRoles = () => useList(getProjectsByIdRoles, { params: { id: useProject().id } }).items

interface AssignedRole {
  readonly role: string | null
  readonly roleId: string | null
}

export function RoleName({ role, roleId }: AssignedRole) {
  const own = useRoles().find(({ id }) => id === roleId)
  return own?.name ?? (role === null ? 'none of your own' : wordOf(role))
}

/** The fields `role` and `roleId` as one choice, for a form that takes either. */
export function useRoleChoice(operation: Operation): {
  readonly fixed: Readonly<Record<string, unknown>>
  readonly inputs: Inputs
} {
  const [roleId, setRoleId] = useState<string>()
  const builtIn = operation.body?.properties?.['role']?.enum?.map(String) ?? []
  const role: Inputs[string] = (value, change) => (
    <RoleSelect
      builtIn={builtIn}
      value={roleId ?? chosenIn(value)}
      onChange={(chosen) => {
        const isBuiltIn = chosen === '' || builtIn.includes(chosen)
        setRoleId(isBuiltIn ? undefined : chosen)
        change(isBuiltIn && chosen !== '' ? chosen : undefined)
      }}
    />
  )
  return { fixed: { roleId }, inputs: { ...environmentInput, role } }
}

/** The field `roleId` of a member, who has a role of the project or none. */
export const ownRoleInput: Inputs = {
  roleId: (value, change) => (
    <RoleSelect
      value={chosenIn(value)}
      none="None: the member becomes a viewer"
      onChange={(chosen) => change(chosen === '' ? null : chosen)}
    />
  ),
}

interface RoleSelectProps extends ChoiceProps<string> {
  /** None: only the project's own roles. */
  readonly builtIn?: readonly string[]
  /** What an empty choice means. */
  readonly none?: string
}

function RoleSelect({ builtIn = [], value, onChange, none = 'Viewer, the default' }: RoleSelectProps) {
  const own = useRoles()
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>Role</label>
      <select id={id} className="input" value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{none}</option>
        {builtIn.map((each) => (
          <option key={each} value={each}>
            {wordOf(each)}
          </option>
        ))}
        {own.map((each) => (
          <option key={each.id} value={each.id}>
            {each.name}
          </option>
        ))}
      </select>
    </div>
  )
}
