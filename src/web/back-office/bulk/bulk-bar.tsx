/** What can be done with several records of a list at once. */
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { postAdminBulk } from '#api-client/licensing/bulk'
import { Button } from '../../kit/controls.tsx'
import { labelOf } from '../../kit/words.ts'
import { useOfferedActions } from './action-choice.tsx'

/** What the bulk page begins with, in the state of its entry in the browser's history. */
export interface BulkChoice {
  readonly action: string
  readonly ids: readonly string[]
}

const IDS_MAX = postAdminBulk.body?.properties?.['ids']?.maxItems ?? Infinity

/**
 * @param records as the bulk actions name them, such as `licenses`
 * @returns undefined if the person may do nothing with several of them
 */
export function useBulkBar(records: string): ((ids: readonly string[]) => ReactNode) | undefined {
  const [, go] = useLocation()
  const actions = useOfferedActions().filter((action) => action.startsWith(`${records}.`))
  if (actions.length === 0) return undefined
  return (ids) =>
    ids.length > IDS_MAX ? (
      <span>At most {IDS_MAX} at once</span>
    ) : (
      actions.map((action) => (
        <Button key={action} onClick={() => go('/console/bulk', { state: { action, ids } satisfies BulkChoice })}>
          {labelOf(action.split('.')[1]!)}
        </Button>
      ))
    )
}
