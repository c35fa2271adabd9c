/** Shows which keys there are, and switches single ones off. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Fact, Facts } from '../kit/controls.tsx'
import { Dialog } from '../kit/overlay.tsx'
import { areSingleKeysOn, isApple, switchSingleKeys } from './key-events.ts'
import type { ReachablePage } from './matching.ts'

interface KeysProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly pages: readonly ReachablePage[]
}

export const Keys = ({ isOpen, onClose, pages }: KeysProps) => (
  <Dialog title="Keys" isOpen={isOpen} onClose={onClose}>
    <SingleKeysSwitch />
    <Facts>
      <KeyFact label="Go to a page or a record">{isApple() ? '⌘ K' : 'Ctrl K'}</KeyFact>
      <KeyFact label="Search this list, or go to">/</KeyFact>
      <KeyFact label="Next row of a list">j</KeyFact>
      <KeyFact label="Row before">k</KeyFact>
      <KeyFact label="Open the row">Enter</KeyFact>
      <KeyFact label="Close what is open">Esc</KeyFact>
      <KeyFact label="Show the keys">?</KeyFact>
      {pages.map(
        ([path, { title, keys }]) =>
          keys && (
            <KeyFact key={path} label={title}>
              {keys}
            </KeyFact>
          ),
      )}
    </Facts>
  </Dialog>
)

const KeyFact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <Fact label={label}>
    <kbd>{children}</kbd>
  </Fact>
)

function SingleKeysSwitch() {
  const [isOn, setOn] = useState(areSingleKeysOn)
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => {
          switchSingleKeys(target.checked)
          setOn(target.checked)
        }}
      />
      <span>Keys without Ctrl, Alt or ⌘ act in this browser</span>
    </label>
  )
}
