/** An operation that a click does at once, because nothing is lost by it: no form and no question. */
import { useState } from 'react'
import type { CallInput } from '#api-client/call'
import type { Operation, RecordOf, Shape } from '#api-client/operation'
import { useCan, useChange } from '../session/context.tsx'
import { Trigger } from './actions.tsx'
import type { ButtonTone } from './controls.tsx'
import { wouldChange } from './offered.ts'
import { tell } from './overlay.tsx'
import { RefusalNotice } from './refusal.tsx'

interface DirectActionProps<S extends Shape> {
  readonly operation: Operation<S>
  readonly input: CallInput<S>
  /** The record of the path. The operation is shown while it can change something of it. */
  readonly record?: RecordOf<S>
  readonly label: string
  /** For screen readers, where the label alone does not say of which record. */
  readonly name?: string
  readonly tone?: ButtonTone
  readonly done: string
  readonly onDone?: (data: S['data']) => void
}

export function DirectAction<S extends Shape>(props: DirectActionProps<S>) {
  const { operation, input, record, label, name, tone = 'plain', done, onDone } = props
  const can = useCan()
  const change = useChange(operation)
  const [refused, setRefused] = useState<Error>()
  const [isBusy, setBusy] = useState(false)
  if (!can(operation) || !wouldChange(operation, record)) return null

  async function act(): Promise<void> {
    setBusy(true)
    setRefused(undefined)
    try {
      const data = await change(input)
      tell(done)
      onDone?.(data)
    } catch (error) {
      setRefused(error as Error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <Trigger label={label} name={name} tone={tone} isBusy={isBusy} onPress={() => void act()} />
      {refused && <RefusalNotice of={refused} />}
    </>
  )
}
