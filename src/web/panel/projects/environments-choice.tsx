/** Environments of a project by their names, to read and to choose. */
import { useId } from 'react'
import type { ReactNode } from 'react'
import { getProjectsByIdEnvironments } from '#api-client/panel/projects'
import { useList } from '../../session/context.tsx'
import { useProject } from './rights.tsx'

export const useEnvironments = () => useList(getProjectsByIdEnvironments, { params: { id: useProject().id } }).items

export function EnvironmentNames({ ids }: { readonly ids: readonly string[] | null }) {
  const all = useEnvironments()
  if (ids === null) return 'all'
  return ids.map((id) => all.find((each) => each.id === id)?.name ?? 'another').join(', ')
}

export interface ChoiceProps<Value> {
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

export type Inputs = Readonly<Record<string, (value: unknown, change: (value: unknown) => void) => ReactNode>>

export const environmentInput: Inputs = {
  environmentIds: (value, change) => (
    <EnvironmentChoice value={(value as readonly string[] | null | undefined) ?? null} onChange={change} />
  ),
}
