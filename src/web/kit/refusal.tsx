/** What the service refused, in its own words. */
import { Refusal } from '#api-client/refusal'
import { Notice } from './controls.tsx'

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
  const requestId = of instanceof Refusal && of.statusCode >= 500 ? of.requestId : undefined
  return (
    <Notice tone="bad" isUrgent>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {requestId && (
        <p className="small">
          Request <code>{requestId}</code>
        </p>
      )}
    </Notice>
  )
}
