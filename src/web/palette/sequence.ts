/** What single keys mean, one after another. */

export type Command =
  | { readonly do: 'showKeys' | 'search' | 'nextRow' | 'previousRow' }
  | { readonly do: 'open'; readonly path: string }

/** When `g` was pressed, in milliseconds; undefined: no sequence has begun. */
export type Begun = number | undefined

/** A letter after `g` that comes later begins anew. */
const SEQUENCE_MS = 1_500

const COMMANDS: Readonly<Record<string, Command>> = {
  '?': { do: 'showKeys' },
  '/': { do: 'search' },
  j: { do: 'nextRow' },
  k: { do: 'previousRow' },
}

interface Press {
  readonly key: string
  readonly at: number
}

/** @param places the path that each letter opens after `g` */
export function press(
  begun: Begun,
  { key, at }: Press,
  places: ReadonlyMap<string, string>,
): { readonly begun: Begun; readonly command?: Command | undefined } {
  const isSecond = begun !== undefined && at - begun <= SEQUENCE_MS
  const path = isSecond ? places.get(key) : undefined
  if (path !== undefined) return { begun: undefined, command: { do: 'open', path } }
  if (key === 'g') return { begun: at }
  // An unknown second letter ends the sequence, and does nothing else.
  return { begun: undefined, command: isSecond || !Object.hasOwn(COMMANDS, key) ? undefined : COMMANDS[key] }
}
