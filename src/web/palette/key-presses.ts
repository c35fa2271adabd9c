/** What a press of keys means, wherever it comes from. */

interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
}

export const isPaletteKey = ({ key, ctrlKey, altKey, metaKey, shiftKey }: KeyPress, onApple: boolean): boolean =>
  key.toLowerCase() === 'k' && (onApple ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey

export const isSingleKey = ({ key, ctrlKey, altKey, metaKey }: KeyPress): boolean =>
  key.length === 1 && !ctrlKey && !altKey && !metaKey
