import { RecordId } from './record-id.tsx'
import type { PathOf } from './record-id.tsx'

/** A word and the id after it. */
export const UUID = /([\w-]+) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/

/** The sentence of the service; an id leads to the page of its record, which the word before it names. */
export function Sentence({ of, pathOf }: { readonly of: string; readonly pathOf: PathOf | undefined }) {
  const [before, kind, id, ...rest] = of.split(UUID)
  if (kind === undefined || id === undefined) return of
  return (
    <>
      {before}
      {kind} <RecordId id={id} path={pathOf?.(kind, id)} />
      <Sentence of={rest.join(' ')} pathOf={pathOf} />
    </>
  )
}
