import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import type { Operation } from '#api-client/operation'
import { getProjectsByIdEnvironments, getProjectsByIdRoles } from '#api-client/panel'
/** Roles and environments of a project by their names, to read and to choose. */
import { chosenIn } from '../../kit/select-input.tsx'
import { wordOf } from '../../kit/words.ts'
import { useList } from '../../session/context.tsx'
import { useProject } from './rights.tsx'

export const useRoles = () => useList(getProjectsByIdRoles, { params: { id: useProject().id } }).items
export const useEnvironments = () => useList(getProjectsByIdEnvironments, { params: { id: useProject().id } }).items

interface AssignedRole {
  readonly role: string | null
  readonly roleId: string | null
}

export function RoleName({ role, roleId }: AssignedRole) {
  const own = useRoles().find(({ id }) => id === roleId)
  return own?.name ?? (role === null ? 'none of your own' : wordOf(role))
}

export function EnvironmentNames({ ids }: { readonly ids: readonly string[] | null }) {
  const all = useEnvironments()
  if (ids === null) return 'all'
  return ids.map((id) => all.find((each) => each.id === id)?.name ?? 'another').join(', ')
}

interface ChoiceProps<Value> {
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** Null: all of them, also those that are added later. */
export function EnvironmentChoice({ value, onChange }: ChoiceProps<readonly string[] | null>) {
  const all = useEnvironments()
  const group = useId()
  if (all.length === 0) return null
  const chosen = value ?? []
  return (
    <fieldset className="field">
      <legend>Environments</legend>
      <label className="check">
        <input type="radio" name={group} checked={value === null} onChange={() => onChange(null)} />
        <span>All, also those that are added later</span>
      </label>
      <label className="check">
        <input type="radio" name={group} checked={value !== null} onChange={() => onChange([])} />
        <span>Only some</span>
      </label>
      {value !== null && (
        <div className="checks">
          {all.map(({ id, name }) => (
            <label key={id} className="check">
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                onChange={({ target }) =>
                  onChange(target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
                }
              />
              <span>{name}</span>
            </label>
          ))}
        </div>
      )}
    </fieldset>
  )
}

type Inputs = Readonly<Record<string, (value: unknown, change: (value: unknown) => void) => ReactNode>>

export const environmentInput: Inputs = {
  environmentIds: (value, change) => (
    <EnvironmentChoice value={(value as readonly string[] | null | undefined) ?? null} onChange={change} />
  ),
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

interface RoleSelectProps extends ChoiceProps<string> {
  /** None: only the project's own roles. */
  readonly builtIn?: readonly string[]
  /** What an empty choice means. */
  readonly none?: string
}

export function RoleSelect({ builtIn = [], value, onChange, none = 'As usual' }: RoleSelectProps) {
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
