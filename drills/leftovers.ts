/** An interrupted drill must leave neither processes nor mounts behind. */

const leftovers = new Set<() => void>()

/**
 * Registers `undo` for the case that this process ends before the drill has cleaned up. Last registered,
 * first undone. @returns a function that cancels it after the clean-up
 */
export function leftover(undo: () => void): () => void {
  leftovers.add(undo)
  return () => void leftovers.delete(undo)
}

process.once('exit', () => {
  for (const undo of [...leftovers].toReversed())
    try {
      undo()
    } catch (error) {
      console.error(error)
    }
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
