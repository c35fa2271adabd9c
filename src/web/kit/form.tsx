/** A form for an operation: its fields come from what the operation's document says about its body. */
import { useId, useState } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import type { CallInput } from '#api-client/call'
import type { Operation, Shape } from '#api-client/operation'
import { useChange } from '../session/context.tsx'
import { Cancelled } from '../session/proof.tsx'
import { Button } from './controls.tsx'
import type { ButtonTone } from './controls.tsx'
import { FieldInput } from './field-input.tsx'
import { bodyFrom, fieldsOf, heldOf, isWith } from './fields.ts'
import type { Held, HeldValues } from './fields.ts'
import { byField, RefusalNotice } from './refusal.tsx'
import { useUnsaved } from './unsaved.ts'

/** Fields of a request. */
export type Body = Readonly<Record<string, unknown>>

export interface OperationFormProps<S extends Shape> {
  readonly operation: Operation<S>
  /** Parameters of the path, and of the query. */
  readonly input?: Pick<CallInput<S>, 'params' & keyof CallInput<S>> &
    Partial<Pick<CallInput<S>, 'query' & keyof CallInput<S>>>
  /** The fields to show first, in this order; the others follow, so that none is lost. */
  readonly order?: readonly string[]
  /** The object in the body whose fields are shown, such as `mail` of a configuration; default: the body itself. */
  readonly part?: string
  /** Fields that this form needs although the operation does not, because the page leaves out their alternatives. */
  readonly required?: readonly string[]
  /** The only fields that are shown, where an operation serves several actions; default: all. */
  readonly only?: readonly string[]
  /** Fields that are sent as they are, and not shown. */
  readonly fixed?: Body
  /** What the fields begin with, such as the record that is changed. */
  readonly initial?: Body | undefined
  /** Whether fields that still hold their initial value are left out. Default: for a PATCH with `initial`. */
  readonly onlyChanges?: boolean
  /** Of amounts, if no field asks for it. */
  readonly currency?: string
  readonly labels?: Readonly<Record<string, string>>
  /** Inputs of the page's own, in place of those of the kit. */
  readonly inputs?: Readonly<Record<string, (value: unknown, change: (value: unknown) => void) => ReactNode>>
  /**
   * What the form asks beside its fields, for operations that follow.
   * @param own what the inputs of the page's own hold, as far as they were changed
   */
  readonly extra?: ((own: Body) => ReactNode) | undefined
  readonly submit: string
  readonly tone?: ButtonTone
  readonly isFinal?: boolean
  /** @param body what was sent */
  readonly onDone: (data: S['data'], body: Body) => void
  readonly onCancel?: () => void
  /** Default: Cancel. */
  readonly cancel?: string
  /** What the person types to confirm a change that cannot come back, such as the name of a record. */
  readonly confirm?: string
  /** Passwords of this form are chosen here, not proved. */
  readonly hasNewPassword?: boolean
  /** The form asks for the data of the person who fills it in, which the browser may know. */
  readonly isOwn?: boolean
}

export function OperationForm<S extends Shape>(props: OperationFormProps<S>) {
  const {
    operation,
    input,
    order = [],
    part,
    only,
    required = [],
    fixed = {},
    labels = {},
    inputs = {},
    onDone,
  } = props
  const change = useChange(operation, input)
  const { onlyChanges = operation.method === 'PATCH' && props.initial !== undefined, currency } = props
  const declared = fieldsOf(part === undefined ? operation.body : operation.body?.properties?.[part])
    .filter(({ name }) => !(name in fixed) && (only?.includes(name) ?? true))
    .map((field) => (required.includes(field.name) ? { ...field, isRequired: true } : field))
    .toSorted((one, other) => placeIn(order, one.name) - placeIn(order, other.name))
  const [initial, setInitial] = useState<HeldValues>(() => begun(declared, props.initial))
  const [values, setValues] = useState<HeldValues>(initial)
  const [ownInitial, setOwnInitial] = useState<Body>(() => (onlyChanges ? {} : givenFor(inputs, props.initial)))
  const [own, setOwn] = useState(ownInitial)
  const fields = declared.filter((field) => isWith(field, { ...values, ...own, ...fixed }))
  const forgetUnsaved = useUnsaved(own !== ownInitial || JSON.stringify(values) !== JSON.stringify(initial))
  const [refused, setRefused] = useState<Error>()
  const [isBusy, setBusy] = useState(false)
  const refusal =
    refused &&
    byField(
      refused,
      fields.map(({ name }) => name),
      part,
    )

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setRefused(undefined)
    try {
      const shown = fields.filter(({ name }) => !(name in inputs))
      const held = { ...(currency && { currency }), ...values }
      const body = { ...bodyFrom(shown, held, { initial, onlyChanges }), ...own, ...fixed }
      const sent = part === undefined ? body : { [part]: body }
      const data = await change({ ...input, ...(operation.body ? { body: sent } : {}) } as unknown as CallInput<S>)
      // A form that stays open goes on from here.
      setInitial(values)
      setOwnInitial(own)
      forgetUnsaved()
      onDone(data, sent)
    } catch (error) {
      if (!(error instanceof Cancelled)) setRefused(error as Error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <form className="stack" onSubmit={(event) => void submit(event)} aria-busy={isBusy}>
      {fields.map((field) =>
        inputs[field.name] ? (
          <div key={field.name}>
            {inputs[field.name]!(own[field.name] ?? props.initial?.[field.name], (value) =>
              setOwn((before) => ({ ...before, [field.name]: value })),
            )}
            {refusal?.of[field.name] && <span className="field-error">{refusal.of[field.name]}</span>}
          </div>
        ) : (
          <FieldInput
            key={field.name}
            field={field}
            label={labels[field.name]}
            value={values[field.name] ?? ''}
            onChange={(value: Held) => setValues((before) => ({ ...before, [field.name]: value }))}
            error={refusal?.of[field.name]}
            isNew={props.hasNewPassword !== false}
            isOwn={props.isOwn}
          />
        ),
      )}
      {props.extra?.(own)}
      {props.confirm !== undefined && <Confirmation text={props.confirm} />}
      {refused && refusal && refusal.rest.length > 0 && <RefusalNotice of={refused} texts={refusal.rest} />}
      <div className="dialog-buttons">
        {props.onCancel && <Button onClick={props.onCancel}>{props.cancel ?? 'Cancel'}</Button>}
        <Button type="submit" tone={props.tone ?? 'main'} isFinal={props.isFinal} isBusy={isBusy}>
          {props.submit}
        </Button>
      </div>
    </form>
  )
}

/** The browser sends the form only when the text is right. */
function Confirmation({ text }: { readonly text: string }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>
        Type <strong>{text}</strong> to confirm
      </label>
      <input
        id={id}
        className="input"
        required
        autoComplete="off"
        onChange={({ target }) => target.setCustomValidity(target.value === text ? '' : `Type ${text}`)}
      />
    </div>
  )
}

const givenFor = (inputs: object, given: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => name in inputs))

const placeIn = (order: readonly string[], name: string): number =>
  order.includes(name) ? order.indexOf(name) : order.length

function begun(fields: ReturnType<typeof fieldsOf>, given: Readonly<Record<string, unknown>> = {}): HeldValues {
  const currency = typeof given['currency'] === 'string' ? given['currency'] : 'EUR'
  return Object.fromEntries(
    fields.map((field) => [field.name, heldOf(field, given[field.name] ?? field.schema.default, currency)]),
  )
}
