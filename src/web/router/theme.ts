/** Light, dark, or as the system is set. The script in the head of each page reads the same entry before it paints. */

export const THEMES = ['auto', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const ENTRY = 'daybook-theme'

export function themeNow(): Theme {
  const kept = localStorage.getItem(ENTRY)
  return THEMES.find((each) => each === kept) ?? 'auto'
}

export function chooseTheme(theme: Theme): Theme {
  if (theme === 'auto') {
    localStorage.removeItem(ENTRY)
    delete document.documentElement.dataset['theme']
  } else {
    localStorage.setItem(ENTRY, theme)
    document.documentElement.dataset['theme'] = theme
  }
  return theme
}
