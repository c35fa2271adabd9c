import { wordOf } from '../../kit/words.ts'

interface Owned {
  readonly workload: { readonly kind: string; readonly id: string } | null
  readonly isManaged: boolean
  readonly isPlatform: boolean
}

/** Whose an object on a host is. */
export function Owner({ of: { workload, isManaged, isPlatform } }: { readonly of: Owned }) {
  if (isPlatform) return 'this panel'
  if (workload) return `a workload: ${wordOf(workload.kind)}`
  return isManaged ? 'another panel, or a project' : <span className="soft">none</span>
}

/** The panel removes what belongs to it by its own pages only. */
export const isFree = ({ isManaged, isPlatform }: Owned): boolean => !isManaged && !isPlatform
