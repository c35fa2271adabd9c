/** Asks before the person leaves a page with what was typed there: by a link, by the browser's buttons, or by closing it. */
import type { AroundNavHandler } from 'wouter'
import { askToDiscard, isAnythingUnsaved } from '../kit/unsaved.ts'

/** For links and for pages that lead on. */
export const guardLinks: AroundNavHandler = (navigate, to, options) => {
  if (!isAnythingUnsaved()) return navigate(to, options)
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
