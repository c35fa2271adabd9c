/** An operation as a button: shown to those who may call it, with a form or a question before it is done. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { RecordOf, Shape } from '#api-client/operation'
import { useCan } from '../session/context.tsx'
import { Trigger } from './actions.tsx'
import type { ButtonTone } from './controls.tsx'
import { OperationForm } from './form.tsx'
import type { OperationFormProps } from './form.tsx'
import { wouldChange } from './offered.ts'
import { Dialog, tell } from './overlay.tsx'
import { Reveal } from './reveal.tsx'
import type { Secret } from './reveal.tsx'

export interface ActionProps<S extends Shape> extends Omit<OperationFormProps<S>, 'submit' | 'onDone' | 'onCancel'> {
  readonly label: string
  /** Default: the label. */
  readonly title?: string
  readonly tone?: ButtonTone
  /** What follows from it, in sentences. */
  readonly about?: ReactNode
  /** What is told when it is done. */
  readonly done?: string | ((data: S['data']) => string)
  /** What went wrong although the operation was accepted; undefined: nothing. It stands where the person acted. */
  readonly failure?: (data: S['data']) => string | undefined
  /** Called when what the answer shows only now is kept: it may leave the page. */
  readonly onDone?: (data: S['data']) => void
  /** What the answer shows only now; empty: nothing, so `done` is told. */
  readonly secrets?: (data: S['data']) => readonly Secret[]
  /** The record of the path. The operation is shown while it can change something of it. */
  readonly record?: RecordOf<S>
  /** Default: true. For reasons that no state of the record shows, such as an empty selection. */
  readonly isOffered?: boolean
  readonly submit?: string
}

export function Action<S extends Shape>(props: ActionProps<S>) {
  const {
    label,
    title = label,
    tone = 'plain',
    about,
    done,
    failure,
    secrets,
    record,
    isOffered = true,
    submit = label,
    ...form
  } = props
  const can = useCan()
  const [isOpen, setOpen] = useState(false)
  const [shown, setShown] = useState<{ readonly secrets: readonly Secret[]; readonly data: S['data'] }>()
  const isHidden = !isOffered || !can(form.operation) || !wouldChange(form.operation, record, form.fixed)
  // The change itself may end the state in which it is offered: what it shows only now is shown all the same.
  const finished = (data: S['data']): void => {
    const failed = failure?.(data)
    if (failed !== undefined) throw new Error(failed)
    setOpen(false)
    const shownNow = secrets?.(data) ?? []
    if (shownNow.length > 0) return setShown({ secrets: shownNow, data })
    tell((typeof done === 'function' ? done(data) : done) ?? `${title}: done`)
    props.onDone?.(data)
  }
  const kept = (): void => {
    setShown(undefined)
    props.onDone?.(shown!.data)
  }
  return (
    <>
      <Trigger label={label} tone={tone} isHidden={isHidden} onPress={() => setOpen(true)} />
      {(!isHidden || isOpen) && (
        <Dialog title={title} isOpen={isOpen} onClose={() => setOpen(false)}>
          {about && <div className="stack">{about}</div>}
          <OperationForm
            {...form}
            submit={submit}
            tone={tone === 'bad' ? 'bad' : 'main'}
            isFinal={tone === 'bad'}
            onDone={finished}
            onCancel={() => setOpen(false)}
          />
        </Dialog>
      )}
      {shown && <Reveal secrets={shown.secrets} onClose={kept} />}
    </>
  )
}
