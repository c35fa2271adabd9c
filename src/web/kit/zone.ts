/** Whether times are shown in UTC: one setting of this browser, for all pages. */
const KEY = 'daybook-times'
const UTC = 'utc'
const listeners = new Set<() => void>()

/** Storage is missing outside of browsers, and may be closed to the page. */
function read(): boolean {
  try {
    return localStorage.getItem(KEY) === UTC
  } catch {
    return false
  }
}

let isOn = read()

export const isUtc = (): boolean => isOn

export function chooseUtc(on: boolean): void {
  isOn = on
  try {
    if (on) localStorage.setItem(KEY, UTC)
    else localStorage.removeItem(KEY)
  } catch {
    // The choice then holds until the page is closed.
  }
  for (const each of listeners) each()
}

export function subscribeToZone(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
