/** One text of an input that has several, such as the source of an application. */
import { useId } from 'react'

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly help?: string
  readonly isRequired?: boolean
  readonly maxLength?: number
  readonly pattern?: string
  /** What may be meant; other texts are taken too. */
  readonly choices?: readonly string[]
}

export function TextField({ label, value, onChange, help, isRequired = false, choices = [], ...more }: TextFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {!isRequired && <span className="soft small"> (optional)</span>}
      </label>
      <input
        {...more}
        id={id}
        className="input"
        required={isRequired}
        autoComplete="off"
        spellCheck={false}
        list={choices.length > 0 ? `${id}-choices` : undefined}
        aria-describedby={help ? `${id}-help` : undefined}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      {choices.length > 0 && (
        <datalist id={`${id}-choices`}>
          {choices.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </datalist>
      )}
      {help && (
        <span id={`${id}-help`} className="field-help">
          {help}
        </span>
      )}
    </div>
  )
}
