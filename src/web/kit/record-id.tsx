/** The id of a record in an entry, which leads to its page. */
import { Link } from 'wouter'

/** The page of a subject or actor. */
export type PathOf = (type: string, id: string) => string | undefined

/** The end of an id tells records apart: its beginning is the time. */
const ID_END = 8

export function RecordId({ id, path }: { readonly id: string; readonly path: string | undefined }) {
  const end = (
    <code className="id" title={id}>
      …{id.slice(-ID_END)}
    </code>
  )
  return path === undefined ? end : <Link href={path}>{end}</Link>
}
