/** Light, dark, or as the system is set. The script in the head of each page reads the same entry before it paints. */
import { removeStored, store, stored } from '../session/stored.ts'

export const THEMES = ['auto', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const ENTRY = 'daybook-theme'

export function themeNow(): Theme {
  const kept = stored(ENTRY)
  return THEMES.find((each) => each === kept) ?? 'auto'
}

export function chooseTheme(theme: Theme): Theme {
  if (theme === 'auto') {
    removeStored(ENTRY)
    delete document.documentElement.dataset['theme']
  } else {
    store(ENTRY, theme)
    document.documentElement.dataset['theme'] = theme
  }
  return theme
}
