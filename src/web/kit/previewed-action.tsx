/**
 * An operation whose consequences the service computes first: a form, then what would follow, then the change. The
 * body that was previewed is the body that is sent.
 */
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Operation, RecordOf, Shape } from '#api-client/operation'
import { useCan } from '../session/context.tsx'
import { Trigger } from './actions.tsx'
import { fieldsOf } from './fields.ts'
import { OperationForm } from './form.tsx'
import type { Body, OperationFormProps } from './form.tsx'
import { wouldChange } from './offered.ts'
import { Dialog, tell } from './overlay.tsx'

type Given<S extends Shape> = Omit<OperationFormProps<S>, 'submit' | 'onDone' | 'onCancel'>

interface PreviewedActionProps<P extends Shape, S extends Shape> extends Pick<Given<S>, 'operation' | 'input'> {
  readonly label: string
  readonly title: string
  /** What follows from it, in sentences. */
  readonly about?: ReactNode
  readonly done: string
  readonly onDone?: (data: S['data']) => void
  /** The record of the path. The operation is shown while it can change something of it. */
  readonly record?: RecordOf<S>
  /** For an operation that ends something. */
  readonly isFinal?: boolean
  /** The operation that computes the consequences, and its form. */
  readonly preview: Given<P>
  readonly shown: (data: P['data']) => ReactNode
  /** What the change sends besides the previewed body, such as the token of the preview. */
  readonly promised?: (data: P['data']) => Body
}

interface Previewed<P extends Shape> {
  readonly data: P['data']
  readonly body: Body
}

export function PreviewedAction<P extends Shape, S extends Shape>(props: PreviewedActionProps<P, S>) {
  const { operation, input, label, title, about, done, record, isFinal = false, preview, shown } = props
  const can = useCan()
  const [isOpen, setOpen] = useState(false)
  const [previewed, setPreviewed] = useState<Previewed<P>>()
  const isHidden = !wouldChange(operation, record) || !can(operation) || !can(preview.operation)
  const close = (): void => {
    setOpen(false)
    setPreviewed(undefined)
  }
  const finished = (data: S['data']): void => {
    close()
    tell(done)
    props.onDone?.(data)
  }
  return (
    <>
      <Trigger label={label} isHidden={isHidden} onPress={() => setOpen(true)} />
      <Dialog title={title} isOpen={isOpen && !isHidden} onClose={close}>
        {/* Hidden and not removed, so that what was typed is still there on the way back. */}
        <div className="stack" hidden={previewed !== undefined}>
          {about}
          <OperationForm
            {...preview}
            submit="Show what follows"
            onDone={(data, body) => setPreviewed({ data, body })}
            onCancel={close}
          />
        </div>
        {previewed && (
          <div className="stack">
            {shown(previewed.data)}
            <OperationForm
              operation={operation}
              {...(input && { input })}
              fixed={wholeBody(operation, { ...previewed.body, ...props.promised?.(previewed.data) })}
              submit={title}
              tone={isFinal ? 'bad' : 'main'}
              isFinal={isFinal}
              onDone={finished}
              onCancel={() => setPreviewed(undefined)}
              cancel="Back"
            />
          </div>
        )}
      </Dialog>
    </>
  )
}

/** Every field has been decided in the first form, those that were left out too. */
const wholeBody = ({ body }: Operation, given: Body): Body => ({
  ...Object.fromEntries(fieldsOf(body).map(({ name }) => [name, undefined])),
  ...given,
})
