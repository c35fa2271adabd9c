/** A drill that is interrupted must leave neither processes nor mounts behind. */

const leftovers = new Set<() => void>()

/** Undone, last first, should this process end before the drill has cleaned up itself. @returns the way to say that it has */
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
