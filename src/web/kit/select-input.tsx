/** A required choice among records of a list, for a field that holds an id. */
import { useId } from 'react'

/** What an input shows for a value that is not chosen yet. */
export const chosenIn = (value: unknown): string => (typeof value === 'string' ? value : '')

interface SelectInputProps {
  readonly label: string
  readonly value: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly onChange: (value: string) => void
}

export function SelectInput({ label, value, options, onChange }: SelectInputProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="input" required value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">–</option>
        {options.map((each) => (
          <option key={each.value} value={each.value}>
            {each.label}
          </option>
        ))}
      </select>
    </div>
  )
}
