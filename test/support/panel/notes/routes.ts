import { z } from 'zod'
import { reasonSchema } from '#kernel/lib/display-text'
import { operationRoutes } from '#kernel/resource/operation-routes'
import { panelLists } from '#panel/access/panel-lists'
import { inProject } from '#panel/access/project-access'
import { projectRoutes } from '#panel/access/project-routes'
import { mustHold } from '#panel/projects/rights/rules'
import { notes } from './decider.ts'
import { noteFields } from './events.ts'
import { noteImports } from './operation.ts'
import { noteImportTable, noteTable } from './projection.ts'

const MANAGE = 'environments:manage'
const Note = z.object({ id: z.uuid(), projectId: z.uuid(), ...noteFields, createdAt: z.iso.datetime() })

const manage = projectRoutes(inProject(MANAGE))
const { request, list, read, log } = operationRoutes(noteImports, {
  table: noteImportTable,
  view: inProject(),
  lists: panelLists,
  input: { text: reasonSchema(20_000) },
})

export const noteRoutes = [
  projectRoutes(inProject()).list('GET /api/projects/:id/notes', noteTable, {
    does: 'List the project’s notes.',
    item: Note,
  }),

  manage.change('POST /api/projects/:id/notes', {
    does: 'Add a note to the project.',
    status: 201,
    body: z.strictObject({ text: reasonSchema(500) }),
    reply: Note,
    async decide({ unit, projectId, body: { text }, rights }) {
      mustHold(await rights(), MANAGE)
      const noteId = unit.newId()
      await unit.decide(notes, projectId, 'Add', { projectId, noteId, text, origin: null })
      return { id: noteId, projectId, text, createdAt: unit.at.toISOString() }
    },
  }),

  manage.change('POST /api/projects/:id/note-imports', {
    does: 'Start an import: each line of the text becomes a note. One import of a project runs at a time.',
    ...request,
    async decide({ unit, projectId, body, rights }) {
      mustHold(await rights(), MANAGE)
      return request.decide(unit, { projectId }, body)
    },
  }),
  list('GET /api/projects/:id/note-imports', 'List the imports of notes into the project, newest first.'),
  read('GET /api/projects/:id/note-imports/:importId', 'Read an import of notes: its status, and why it failed.'),
  log('GET /api/projects/:id/note-imports/:importId/log', 'Read the log of an import of notes.'),
]
