import { useId } from 'react'
import type { ReactNode } from 'react'
import { Button } from '../../kit/controls.tsx'

interface ColourInputProps {
  readonly value: string | null
  readonly onChange: (value: string | null) => void
}

/** What the browser shows for an input of colours without a value. */
const FIRST = '#000000'

function ColourInput({ value, onChange }: ColourInputProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>Colour</label>
      <div className="row">
        <input id={id} type="color" value={value ?? FIRST} onChange={({ target }) => onChange(target.value)} />
        {value === null ? (
          <span className="soft">none</span>
        ) : (
          <Button tone="quiet" onClick={() => onChange(null)}>
            No colour
          </Button>
        )}
      </div>
    </div>
  )
}

/** For the forms of teams. */
export const colourInput: Readonly<Record<string, (value: unknown, change: (value: unknown) => void) => ReactNode>> = {
  colour: (value, change) => <ColourInput value={typeof value === 'string' ? value : null} onChange={change} />,
}
