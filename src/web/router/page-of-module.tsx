/** Pages whose modules are loaded when they are first opened. */
import { useEffect, useState } from 'react'
import type { ComponentType } from 'react'
import { Loading } from '../kit/page.tsx'

type Loaded = { readonly Page: ComponentType } | { readonly error: unknown }

/** Not by React's `lazy`: React keeps what it shows meanwhile for at least 300 ms, although the page is there long before. */
export function pageOfModule(load: () => Promise<{ readonly default: ComponentType }>): ComponentType {
  let known: Loaded | undefined
  return function PageOfModule() {
    const [loaded, setLoaded] = useState(known)
    useEffect(() => {
      if (loaded) return
      void load().then(
        ({ default: Page }) => setLoaded((known = { Page })),
        (error: unknown) => setLoaded({ error }),
      )
    }, [loaded])
    if (!loaded) return <Loading />
    // The boundary around the page says it.
    if ('error' in loaded) throw loaded.error
    return <loaded.Page />
  }
}
