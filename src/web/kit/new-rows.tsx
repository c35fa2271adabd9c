/** Above a list: how many records have come since it was read. Its rows do not move under the pointer. */
import { Button } from './controls.tsx'

interface NewRowsProps {
  /** Records that the list does not show yet. */
  readonly unseen: number
  readonly onShow: () => void
}

export const NewRows = ({ unseen, onShow }: NewRowsProps) => (
  <output className="new-rows">
    {unseen > 0 && (
      <>
        {unseen} new <Button onClick={onShow}>Show</Button>
      </>
    )}
  </output>
)
