/**
 * Loads a program with changed sources, for tests that must notice, and for those that end it at a certain point: the
 * variable BREAKS is a list of replacements.
 */
import { registerHooks } from 'node:module'

export interface Break {
  /** Below src. */
  readonly file: string
  readonly find: string
  readonly replace: string
}

const breaks: readonly Break[] = JSON.parse(process.env['BREAKS'] ?? '[]')

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const own = breaks.filter(({ file }) => url.endsWith(`/src/${file}`))
    if (own.length === 0) return loaded
    let source = Buffer.from(loaded.source as Uint8Array).toString()
    for (const { file, find, replace } of own) {
      if (source.split(find).length !== 2) throw new Error(`${file} does not have this text once: ${find}`)
      source = source.replace(find, () => replace)
    }
    return { ...loaded, source }
  },
})
