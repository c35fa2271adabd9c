/** Notes of a project. */
import { z } from 'zod'
import { event, sealed, stream } from '#kernel/events/event'
import { sealedForProject } from '#panel/projects/events'

export const noteFields = { text: sealed(z.string()) }

/** `origin` is the import and its line, so that each line is added once. */
export const ProjectNoteAdded = event(
  'ProjectNoteAdded',
  'projectId',
  { projectId: z.uuid(), noteId: z.uuid(), ...noteFields, origin: z.string().nullable() },
  ({ projectId, noteId }) => `added note ${noteId} to project ${projectId}`,
  { sealedFor: sealedForProject },
)

/** One stream per project, because the number of its notes is limited. */
export const noteEvents = stream('notes', [ProjectNoteAdded])
