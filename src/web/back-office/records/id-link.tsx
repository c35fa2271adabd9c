import { useCallback } from 'react'
import { Link } from 'wouter'
import { useCan } from '../../session/context.tsx'
import { PAGES } from '../pages.ts'
import { pathOf } from '../paths.ts'

/** @returns undefined for a kind without a page, and for a page that the person may not open */
type PathOf = (kind: string, id: string) => string | undefined

export function usePathOf(): PathOf {
  const can = useCan()
  return useCallback(
    (kind, id) => {
      const page = PAGES[pathOf(kind, ':id') ?? '']
      return page && (!page.needs || can(page.needs)) ? pathOf(kind, id) : undefined
    },
    [can],
  )
}

interface IdLinkProps {
  /** As the audit trail calls it, such as `customer`. */
  readonly kind: string
  readonly id: string
  readonly isWhole?: boolean
}

/** Ids begin with their time, so those of one minute differ only at their end. */
const END = -8

/** A record by its id: a link where the person may open it. */
export function IdLink({ kind, id, isWhole = false }: IdLinkProps) {
  const path = usePathOf()(kind, id)
  const text = isWhole ? id : `…${id.slice(END)}`
  if (!path) return <code title={id}>{text}</code>
  return (
    <Link href={path} className="mono" title={id}>
      {text}
    </Link>
  )
}
