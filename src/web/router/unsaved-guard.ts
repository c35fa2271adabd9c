/** Asks before the person leaves a page with what was typed there: by a link, by the browser's buttons, or by closing it. */
import type { AroundNavHandler } from 'wouter'
import { askToDiscard, isAnythingUnsaved } from '../kit/unsaved.ts'

/** For links and for pages that lead on. A filter of a list changes the address too, and leaves nothing. */
export const guardLinks: AroundNavHandler = (navigate, to, options) => {
  const isSamePage = new URL(to, location.href).pathname === location.pathname
  if (isSamePage || !isAnythingUnsaved()) return navigate(to, options)
  void afterDiscarding(() => navigate(to, options))
}

/** Browsers without the Navigation API go back without a question. */
export function guardBrowserButtons(): void {
  addEventListener('beforeunload', (event) => {
    if (isAnythingUnsaved()) event.preventDefault()
  })
  const { navigation } = globalThis as { readonly navigation?: Navigation }
  navigation?.addEventListener('navigate', (event) => {
    if (event.navigationType !== 'traverse' || !event.cancelable || !isAnythingUnsaved()) return
    event.preventDefault()
    const { key } = event.destination
    void afterDiscarding(() => navigation.traverseTo(key))
  })
}

async function afterDiscarding(leave: () => void): Promise<void> {
  if (await askToDiscard()) leave()
}
