/** One choice of an input that has several, with words for what the API names. */
import { useId } from 'react'

interface ChoiceFieldProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly (readonly [Value, string])[]
  readonly onChange: (value: Value) => void
  readonly help?: string
}

export function ChoiceField<Value extends string>({ label, value, options, onChange, help }: ChoiceFieldProps<Value>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="input"
        aria-describedby={help ? `${id}-help` : undefined}
        value={value}
        onChange={({ target }) => onChange(target.value as Value)}
      >
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
      {help && (
        <span id={`${id}-help`} className="field-help">
          {help}
        </span>
      )}
    </div>
  )
}

/** Of words by what the API names. */
export const optionsOf = <Value extends string>(words: Readonly<Record<Value, string>>) =>
  (Object.keys(words) as Value[]).map((value) => [value, words[value]] as const)
