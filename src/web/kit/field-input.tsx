/** One field of a form: its label, its input, its help, and what was refused about it. */
import { use, useId } from 'react'
import { useAnswerIf } from '../session/context.tsx'
import { chosenOf, mustHold } from './fields.ts'
import type { Field, Held } from './fields.ts'
import { PickersContext } from './pickers.ts'
import type { Picker } from './pickers.ts'
import { labelOf as labelOfField, wordOf } from './words.ts'

export interface FieldInputProps {
  readonly field: Field
  readonly label?: string | undefined
  readonly value: Held
  readonly onChange: (value: Held) => void
  readonly error?: string | undefined
  /** For a password that is chosen here. */
  readonly isNew?: boolean
  /** The value is the person's own, such as the address to sign in with. */
  readonly isOwn?: boolean | undefined
}

interface InputProps extends FieldInputProps {
  readonly id: string
  readonly describedBy: string | undefined
}

export function FieldInput(props: FieldInputProps) {
  const id = useId()
  const { field, label = labelOfField(field.name), error } = props
  const { description } = field.schema
  const describedBy = [description && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  const input = <Input {...props} id={id} describedBy={describedBy} />
  const notes = (
    <>
      {description && (
        <span id={`${id}-help`} className="field-help">
          {description}
        </span>
      )}
      {error && (
        <span id={`${id}-error`} className="field-error" role="alert">
          {error}
        </span>
      )}
    </>
  )
  if (field.kind === 'choices')
    return (
      <fieldset className="field" aria-describedby={describedBy}>
        <legend>{label}</legend>
        {input}
        {notes}
      </fieldset>
    )
  if (field.kind === 'check')
    return (
      <div className="field">
        <div className="check">
          {input}
          <label htmlFor={id}>{label}</label>
        </div>
        {notes}
      </div>
    )
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {!mustHold(field) && <span className="soft small"> (optional)</span>}
      </label>
      {input}
      {notes}
    </div>
  )
}

function Input(props: InputProps) {
  const picker = use(PickersContext)[props.field.name]
  if (picker) return <PickerInput {...props} picker={picker} />
  return <PlainInput {...props} />
}

const INPUT_TYPES = {
  number: 'number',
  time: 'datetime-local',
  email: 'email',
  password: 'password',
  url: 'url',
  text: 'text',
  money: 'text',
} as const

function PlainInput({ field, value, onChange, error, id, describedBy, isNew = true, isOwn }: InputProps) {
  const { kind, schema, name } = field
  const isRequired = mustHold(field)
  const common = {
    id,
    name,
    className: 'input',
    required: isRequired,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': describedBy,
  }
  const text = typeof value === 'string' ? value : ''
  if (kind === 'check')
    return (
      <input
        id={id}
        name={name}
        type="checkbox"
        checked={value === true}
        aria-describedby={describedBy}
        onChange={({ target }) => onChange(target.checked)}
      />
    )
  if (kind === 'choices') return <Choices field={field} value={value} onChange={onChange} />
  if (kind === 'choice')
    return (
      <select {...common} value={text} onChange={({ target }) => onChange(target.value)}>
        {(text === '' || (!isRequired && schema.default === undefined)) && <option value="">–</option>}
        {schema.enum?.map((each) => (
          <option key={String(each)} value={String(each)}>
            {wordOf(String(each))}
          </option>
        ))}
      </select>
    )
  if (kind === 'long' || kind === 'lines')
    return (
      <textarea
        {...common}
        value={text}
        maxLength={kind === 'long' ? schema.maxLength : undefined}
        placeholder={kind === 'lines' ? 'One a line' : undefined}
        onChange={({ target }) => onChange(target.value)}
      />
    )
  return (
    <input
      {...common}
      type={INPUT_TYPES[kind]}
      value={text}
      min={schema.minimum}
      max={schema.maximum}
      minLength={schema.minLength}
      maxLength={schema.maxLength}
      step={kind === 'number' ? (schema.multipleOf ?? (schema.type === 'integer' ? 1 : 'any')) : undefined}
      inputMode={kind === 'money' ? 'decimal' : undefined}
      autoComplete={autoCompleteOf(field, isNew, isOwn)}
      spellCheck={kind === 'text' ? undefined : false}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

/** What the API calls the password that a new one replaces. */
const PRESENT = 'current'
const OWN: Readonly<Record<string, string>> = { email: 'username', name: 'name', totp: 'one-time-code' }

function autoCompleteOf({ kind, name }: Field, isNew: boolean, isOwn = false): string {
  if (kind === 'password') return isNew && name !== PRESENT ? 'new-password' : 'current-password'
  return (isOwn && OWN[name]) || 'off'
}

function Choices({ field, value, onChange }: Pick<InputProps, 'field' | 'value' | 'onChange'>) {
  const chosen = Array.isArray(value) ? (value as readonly string[]) : []
  const isMissing = mustHold(field) && (field.schema.minItems ?? 0) > chosen.length
  return (
    <div className="checks">
      {field.schema.items?.enum?.map(String).map((each, at) => (
        <label key={each} className="check">
          <input
            ref={at === 0 ? (first) => first?.setCustomValidity(isMissing ? 'Choose at least one.' : '') : undefined}
            type="checkbox"
            checked={chosen.includes(each)}
            onChange={({ target }) =>
              onChange(
                chosenOf(field.schema, target.checked ? [...chosen, each] : chosen.filter((other) => other !== each)),
              )
            }
          />
          <span>{wordOf(each)}</span>
        </label>
      ))}
    </div>
  )
}

function PickerInput({ picker, ...props }: InputProps & { readonly picker: Picker }) {
  const { field, value, onChange, error, id, describedBy } = props
  const { data, fetchStatus } = useAnswerIf(true, picker.operation, { query: picker.query })
  // An input that became another one while a person types would lose the text.
  const isComing = data === undefined && fetchStatus !== 'idle'
  const items = isComing ? [] : itemsOf(data)
  if (items === undefined) return <PlainInput {...props} />
  const options = items.map((item) => picker.optionOf(item as never))
  const text = typeof value === 'string' ? value : ''
  return (
    <select
      id={id}
      name={field.name}
      className="input"
      required={mustHold(field)}
      aria-invalid={error ? true : undefined}
      aria-describedby={describedBy}
      value={text}
      disabled={isComing}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">–</option>
      {text !== '' && !options.some((each) => each.value === text) && <option value={text}>{text}</option>}
      {options.map((each) => (
        <option key={each.value} value={each.value}>
          {each.label}
        </option>
      ))}
    </select>
  )
}

/** The items of a list in either form; undefined while it is not read, or may not be. */
function itemsOf(data: unknown): readonly unknown[] | undefined {
  if (Array.isArray(data)) return data as readonly unknown[]
  return typeof data === 'object' && data !== null && 'items' in data ? (data.items as readonly unknown[]) : undefined
}
