/** For modules that are loaded before a process of Daybook: it runs with another piece of source. */
import { registerHooks } from 'node:module'

/**
 * @param file below src
 * @throws Error when the file is loaded, unless the text stands in it exactly once
 */
export function replaceInSource(file: string, text: string, replacement: string): void {
  const { href } = new URL(`../../src/${file}`, import.meta.url)
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      if (url !== href) return loaded
      const source = Buffer.from(loaded.source as Uint8Array).toString()
      if (source.split(text).length !== 2) throw new Error(`${file} does not have exactly once: ${text}`)
      return { ...loaded, source: source.replace(text, () => replacement) }
    },
  })
}
