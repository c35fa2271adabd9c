import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { reject } from '#kernel/lib/rejection'
import { noteEvents, ProjectNoteAdded } from './events.ts'

const NOTES_MAX = 50

export const notes = decider(noteEvents, {
  initial: [] as readonly (string | null)[],
  evolve: { ProjectNoteAdded: (origins, { origin }) => [...origins, origin] },
  commands: {
    Add(origins, note: DataOf<typeof ProjectNoteAdded>) {
      if (note.origin !== null && origins.includes(note.origin)) return []
      if (origins.length >= NOTES_MAX) reject('conflict', `A project has at most ${NOTES_MAX} notes`, 'TOO_MANY')
      return [ProjectNoteAdded(note)]
    },
  },
})
