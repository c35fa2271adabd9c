/** Asks before what was typed is lost. */
import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { useSyncExternalStore } from 'react'
import { Button } from './controls.tsx'
import { openQuestion, subscribeToQuestion } from './unsaved.ts'

interface DiscardQuestionProps {
  readonly isOpen: boolean
  readonly onAnswer: (isDiscarded: boolean) => void
}

export const DiscardQuestion = ({ isOpen, onAnswer }: DiscardQuestionProps) => (
  <BaseDialog.Root
    open={isOpen}
    onOpenChange={(open) => {
      if (!open) onAnswer(false)
    }}
  >
    <BaseDialog.Portal>
      <BaseDialog.Backdrop className="backdrop" />
      <BaseDialog.Popup className="dialog fade-in">
        <BaseDialog.Title>Discard what you typed?</BaseDialog.Title>
        <p>It was not sent, and is lost when you leave.</p>
        <div className="dialog-buttons">
          <Button tone="main" onClick={() => onAnswer(false)}>
            Keep it
          </Button>
          <Button tone="bad" onClick={() => onAnswer(true)}>
            Discard it
          </Button>
        </div>
      </BaseDialog.Popup>
    </BaseDialog.Portal>
  </BaseDialog.Root>
)

/** Before a page is left. Stands once in a surface. */
export function QuestionOfPages() {
  const answer = useSyncExternalStore(subscribeToQuestion, openQuestion)
  return <DiscardQuestion isOpen={answer !== undefined} onAnswer={(isDiscarded) => answer?.(isDiscarded)} />
}
