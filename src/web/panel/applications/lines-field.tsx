/** Several texts, one a line. */
import { useId, useState } from 'react'
import type { ChoiceProps } from '../projects/environments-choice.tsx'

interface LinesFieldProps extends ChoiceProps<readonly string[]> {
  readonly label: string
  readonly help: string
}

export function LinesField({ label, help, value, onChange }: LinesFieldProps) {
  const id = useId()
  const [typed, setTyped] = useState(value.join('\n'))
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        <span className="soft small"> (optional)</span>
      </label>
      <textarea
        id={id}
        className="input mono"
        placeholder="One a line"
        aria-describedby={`${id}-help`}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          onChange(linesOf(target.value))
        }}
      />
      <span id={`${id}-help`} className="field-help">
        {help}
      </span>
    </div>
  )
}

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
