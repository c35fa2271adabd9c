/** A picture that needs the session's header: fetched, and shown from the memory of the page. */
import { useEffect, useState } from 'react'
import type { CallInput } from '#api-client/call'
import type { Operation, Shape } from '#api-client/operation'
import { useSession } from './context.tsx'

interface PhotoProps<S extends Shape> {
  readonly operation: Operation<S>
  readonly input: CallInput<S>
  /** Whom it shows. */
  readonly of: string
}

/** A caller that shows another picture of the same account gives another `key`. */
export function Photo<S extends Shape>({ operation, input, of }: PhotoProps<S>) {
  const { call } = useSession()
  const [url, setUrl] = useState<string>()
  const asked = JSON.stringify(input)
  useEffect(() => {
    const ending = new AbortController()
    let made: string | undefined
    const load = async (): Promise<void> => {
      const { data } = await call(operation as Operation, {
        ...(JSON.parse(asked) as object),
        signal: ending.signal,
      })
      made = URL.createObjectURL(await (data as Response).blob())
      if (ending.signal.aborted) URL.revokeObjectURL(made)
      else setUrl(made)
    }
    // A picture that cannot be read is left out.
    load().catch(() => {})
    return () => {
      ending.abort()
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [call, operation, asked])
  return url === undefined ? null : <img className="photo" src={url} alt={of} width="64" height="64" />
}
