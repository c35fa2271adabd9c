/** Short messages over the page, which are read aloud. */
import { Toast } from '@base-ui/react/toast'
import { Button } from './controls.tsx'

const SHOWN_MS = 6_000

const toasts = Toast.createToastManager()

export const add = (text: string): void => void toasts.add({ title: text, timeout: SHOWN_MS })

export default function Toasts() {
  return (
    <Toast.Provider toastManager={toasts}>
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts: shown } = Toast.useToastManager()
  return shown.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast fade-in">
      <Toast.Title render={<p />} />
      <Toast.Close render={<Button tone="quiet" />}>Dismiss</Toast.Close>
    </Toast.Root>
  ))
}
