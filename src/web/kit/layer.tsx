/** What stands over the page and keeps the focus until it is closed: a dialog, or the drawer of the navigation. */
import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'

export interface LayerProps {
  readonly title: string
  readonly isOpen: boolean
  /** Called for Escape and for a click outside. */
  readonly onClose: () => void
  /** Whether Escape and a click outside leave it open, because what it shows would be lost. */
  readonly isKept?: boolean
  readonly children: ReactNode
}

/** @param isDrawer its title is only read aloud */
export const Layer = ({
  title,
  isOpen,
  onClose,
  isKept = false,
  isDrawer = false,
  children,
}: LayerProps & { readonly isDrawer?: boolean }) => (
  <BaseDialog.Root
    open={isOpen}
    onOpenChange={(open) => {
      if (!open && !isKept) onClose()
    }}
    disablePointerDismissal={isKept}
  >
    <BaseDialog.Portal>
      <BaseDialog.Backdrop className="backdrop" />
      <BaseDialog.Popup className={isDrawer ? 'drawer fade-in' : 'dialog fade-in'}>
        <BaseDialog.Title className={isDrawer ? 'only-read' : undefined}>{title}</BaseDialog.Title>
        {children}
      </BaseDialog.Popup>
    </BaseDialog.Portal>
  </BaseDialog.Root>
)
