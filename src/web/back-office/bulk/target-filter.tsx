/** Which records a bulk action is done to, by what they have in common; the fields are those of the operation. */
import { postAdminBulk } from '#api-client/licensing/bulk'
import { FieldInput } from '../../kit/field-input.tsx'
import { fieldsOf, heldOf, valueOf } from '../../kit/fields.ts'

export type FilterValue = Readonly<Record<string, unknown>>

const FIELDS = fieldsOf(postAdminBulk.body?.properties?.['filter'])

interface TargetFilterProps {
  readonly value: FilterValue | undefined
  readonly onChange: (value: FilterValue | undefined) => void
}

export const TargetFilter = ({ value, onChange }: TargetFilterProps) => (
  <fieldset className="field">
    <legend>Records</legend>
    <label className="check">
      <input type="radio" name="targets" checked={value === undefined} onChange={() => onChange(undefined)} />
      <span>Those whose ids I give</span>
    </label>
    <label className="check">
      <input type="radio" name="targets" checked={value !== undefined} onChange={() => onChange({})} />
      <span>All that match now</span>
    </label>
    {value !== undefined && (
      <div className="stack">
        {FIELDS.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            value={heldOf(field, value[field.name], '')}
            onChange={(held) => onChange({ ...value, [field.name]: valueOf(field, held, '') })}
          />
        ))}
      </div>
    )}
  </fieldset>
)
