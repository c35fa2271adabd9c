/** Small entries of this browser, which all its tabs share. A browser that blocks storage holds none. */

export function stored(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

export function store(name: string, value: string): void {
  withStorage((storage) => storage.setItem(name, value))
}

export function removeStored(name: string): void {
  withStorage((storage) => storage.removeItem(name))
}

function withStorage(write: (storage: Storage) => void): void {
  try {
    write(localStorage)
  } catch {
    // The page works without the entry.
  }
}
