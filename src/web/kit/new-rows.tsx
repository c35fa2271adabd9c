/** Above a list: how many records have come since it was read. Its rows do not move under the pointer. */
import type { ListAnswer } from '../session/context.tsx'
import { Button } from './controls.tsx'

export const NewRows = ({ of: { unseen, showNew } }: { readonly of: ListAnswer<unknown> }) => (
  <output className="new-rows">
    {unseen > 0 && (
      <>
        {unseen} new <Button onClick={showNew}>Show</Button>
      </>
    )}
  </output>
)
