/** Files that need the session's header: fetched, and then handed to the browser. */
import type { CallArguments, CallInput } from '#api-client/call'
import type { Operation, Shape } from '#api-client/operation'
import { tell } from '../kit/overlay.tsx'
import { textOf } from '../kit/refusal.tsx'
import { saveFile } from '../kit/reveal.tsx'
import { useSession } from './context.tsx'
import { Cancelled, useProof } from './proof.tsx'

type Download = <S extends Shape>(operation: Operation<S>, input: CallInput<S>, name: string) => Promise<void>

export function useDownload(): Download {
  const { call } = useSession()
  const { withProof } = useProof()
  return async (operation, input, name) => {
    try {
      const { data } = await withProof(() => call(operation, ...([input] as unknown as CallArguments<Shape>)))
      const isFile = data instanceof Response
      saveFile(
        name,
        isFile ? await data.blob() : JSON.stringify(data, undefined, 2),
        isFile ? (data.headers.get('Content-Type') ?? '') : 'application/json',
      )
    } catch (error) {
      if (!(error instanceof Cancelled)) tell(textOf(error as Error))
    }
  }
}
