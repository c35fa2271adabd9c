/** An import of notes: each line of a text becomes a note. */
import { z } from 'zod'
import { sealed } from '#kernel/events/event'
import { operation } from '#kernel/resource/operation'
import { sealedForProject } from '#panel/projects/events'

export const noteImports = operation('NoteImport', {
  of: { projectId: z.uuid() },
  stream: 'noteImports',
  fields: { text: sealed(z.string()) },
  result: { notes: z.int() },
  timeoutSeconds: 600,
  sealedFor: sealedForProject,
})
