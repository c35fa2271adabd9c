/** Asks before what was typed is lost. */
import { useSyncExternalStore } from 'react'
import { Button } from './controls.tsx'
import { Layer } from './layer.tsx'
import { openQuestion, subscribeToQuestion } from './unsaved.ts'

interface DiscardQuestionProps {
  readonly isOpen: boolean
  readonly onAnswer: (isDiscarded: boolean) => void
}

export const DiscardQuestion = ({ isOpen, onAnswer }: DiscardQuestionProps) => (
  <Layer title="Discard what you typed?" isOpen={isOpen} onClose={() => onAnswer(false)}>
    <p>It was not sent, and is lost when you leave.</p>
    <div className="dialog-buttons">
      <Button tone="main" onClick={() => onAnswer(false)}>
        Keep it
      </Button>
      <Button tone="bad" onClick={() => onAnswer(true)}>
        Discard it
      </Button>
    </div>
  </Layer>
)

/** Before a page is left. Stands once in a surface. */
export function QuestionOfPages() {
  const answer = useSyncExternalStore(subscribeToQuestion, openQuestion)
  return <DiscardQuestion isOpen={answer !== undefined} onAnswer={(isDiscarded) => answer?.(isDiscarded)} />
}
