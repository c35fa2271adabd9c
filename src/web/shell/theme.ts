/** Runs before the first paint, so that a chosen theme does not flash. Without a choice the system's theme applies. */
try {
  const theme = localStorage.getItem('daybook-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme
} catch {
  // A browser that blocks storage shows the system's theme.
}
