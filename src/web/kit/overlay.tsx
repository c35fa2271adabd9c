/** Dialogs and menus over the page. */
import { Menu as BaseMenu } from '@base-ui/react/menu'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Button } from './controls.tsx'
import type { ButtonTone } from './controls.tsx'
import { DiscardQuestion } from './discard-question.tsx'
import { Layer } from './layer.tsx'
import type { LayerProps } from './layer.tsx'
import { openQuestion, UnsavedContext } from './unsaved.ts'

/** Asks before it closes if something was typed in it. */
export function Dialog({ onClose, children, ...layer }: LayerProps) {
  const [unsaved] = useState(() => new Set<symbol>())
  const [isAsking, setAsking] = useState(false)
  const leave = (): void => {
    // A click on the question of the page is outside of this dialog.
    if (openQuestion()) return
    if (unsaved.size > 0) setAsking(true)
    else onClose()
  }
  const answered = (isDiscarded: boolean): void => {
    setAsking(false)
    if (isDiscarded) onClose()
  }
  return (
    <Layer {...layer} onClose={leave}>
      <UnsavedContext value={unsaved}>{children}</UnsavedContext>
      <DiscardQuestion isOpen={isAsking} onAnswer={answered} />
    </Layer>
  )
}

/** The drawer of the navigation on a narrow screen. */
export const Drawer = (props: LayerProps) => <Layer {...props} isDrawer />

interface MenuProps {
  readonly label: ReactNode
  readonly name?: string
  readonly tone?: ButtonTone
  readonly children: ReactNode
}

export const Menu = ({ label, name, tone = 'quiet', children }: MenuProps) => (
  <BaseMenu.Root>
    <BaseMenu.Trigger render={<Button tone={tone} aria-label={name} />}>
      {label} <span aria-hidden="true">▾</span>
    </BaseMenu.Trigger>
    <BaseMenu.Portal>
      <BaseMenu.Positioner className="layer" align="end" sideOffset={4}>
        <BaseMenu.Popup className="menu">{children}</BaseMenu.Popup>
      </BaseMenu.Positioner>
    </BaseMenu.Portal>
  </BaseMenu.Root>
)

interface MenuItemProps {
  readonly onSelect: () => void
  readonly tone?: 'bad'
  readonly children: ReactNode
}

export const MenuItem = ({ onSelect, tone, children }: MenuItemProps) => (
  <BaseMenu.Item className="menu-item" data-tone={tone} onClick={onSelect}>
    {children}
  </BaseMenu.Item>
)

/** Tells what was done. A refusal is never told here only: it stands where the person acted. */
export const tell = (text: string): void => void tellBy(text)

/** Not needed at first sight, so it comes after the first page. */
async function tellBy(text: string): Promise<void> {
  const { add } = await import('./toasts.tsx')
  add(text)
}
