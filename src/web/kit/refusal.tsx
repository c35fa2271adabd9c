/** What the service refused, in its own words. */
import { createContext, use } from 'react'
import type { ReactNode } from 'react'
import { Refusal } from '#api-client/refusal'
import { Notice } from './controls.tsx'
import { Countdown } from './countdown.tsx'
import { CopyText } from './reveal.tsx'

const PAYMENT_REQUIRED = 402

/** What leads to a larger plan, below a refusal for a limit of the license. */
export const LargerPlanContext = createContext<ReactNode>(null)

/** The text of a refusal, or that the service cannot be reached. */
export function textOf(error: Error): string {
  if (error instanceof Refusal && error.statusCode === 412)
    return 'Another person has changed this since you opened it. Look at the page, which shows it as it is now, and try again.'
  if (error instanceof Refusal) return error.message
  return error instanceof TypeError
    ? 'The service cannot be reached. Check the connection and try again.'
    : error.message
}

/**
 * A refusal of input names its fields, as `field: text; field: text`.
 * @param part the object of the body that holds the fields; absent: the body itself
 * @returns the texts by field, and what belongs to no field of the form
 */
export function byField(
  error: Error,
  fields: readonly string[],
  part?: string,
): { of: Record<string, string>; rest: string[] } {
  const isInput = error instanceof Refusal && error.statusCode === 400
  const of: Record<string, string> = {}
  const rest: string[] = []
  for (const each of isInput ? error.message.split('; ') : [textOf(error)]) {
    const [, field, text] = /^([\w.]+): (.+)$/s.exec(each) ?? []
    const [first, second] = field?.split('.') ?? []
    const name = first === part ? second : first
    if (name !== undefined && fields.includes(name)) of[name] = text!
    else rest.push(each)
  }
  return { of, rest }
}

export function RefusalNotice({
  of,
  texts = [textOf(of)],
}: {
  readonly of: Error
  readonly texts?: readonly string[]
}) {
  const largerPlan = use(LargerPlanContext)
  const { statusCode = 0, retryAfterMs, requestId } = of instanceof Refusal ? of : {}
  const isPassing = retryAfterMs !== undefined
  return (
    <Notice tone="bad" isUrgent>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {isPassing && <Countdown key={requestId} ms={retryAfterMs} />}
      {statusCode === PAYMENT_REQUIRED && largerPlan}
      {statusCode >= 500 && !isPassing && requestId && <CopyText label="Request" text={requestId} />}
    </Notice>
  )
}
