/** An operation that a click does at once, because nothing is lost by it: no form and no question. */
import { useState } from 'react'
import type { CallInput } from '#api-client/call'
import type { Operation, Shape } from '#api-client/operation'
import { useCan, useChange } from '../session/context.tsx'
import { Trigger } from './actions.tsx'
import type { ButtonTone } from './controls.tsx'
import { tell } from './overlay.tsx'
import { RefusalNotice } from './refusal.tsx'

interface DirectActionProps<S extends Shape> {
  readonly operation: Operation<S>
  readonly input: CallInput<S>
  readonly label: string
  /** For screen readers, where the label alone does not say of which record. */
  readonly name?: string
  readonly tone?: ButtonTone
  readonly done: string
  readonly onDone?: (data: S['data']) => void
}

export function DirectAction<S extends Shape>(props: DirectActionProps<S>) {
  const { operation, input, label, name, tone = 'plain', done, onDone } = props
  const can = useCan()
  const change = useChange(operation)
  const [refused, setRefused] = useState<Error>()
  const [isBusy, setBusy] = useState(false)
  if (!can(operation)) return null

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
      <Trigger label={label} name={name} tone={tone} disabled={isBusy} onPress={() => void act()} />
      {refused && <RefusalNotice of={refused} />}
    </>
  )
}
