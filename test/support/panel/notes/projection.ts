import { readModel, timestamptz } from '#kernel/projections/read-model'
import { operationTable } from '#kernel/resource/operation-table'
import { projectEvents } from '#panel/projects/events'
import { columnsInProject } from '#projections/panel/projects'
import { noteEvents, noteFields } from './events.ts'
import { noteImports } from './operation.ts'

const columns = { ...columnsInProject(noteFields), createdAt: timestamptz }

export const noteTable = readModel('notes', 1, columns, ['(project_id, created_at, id)'])
  .from(noteEvents, {
    ProjectNoteAdded: (table, { noteId, projectId, text }, { at }) =>
      table.insert({ id: noteId, projectId, text, createdAt: at }),
  })
  .from(projectEvents, { ProjectDeleted: (table, { projectId }) => table.remove({ projectId }) })

export const noteImportTable = operationTable(noteImports).from(projectEvents, {
  ProjectDeleted: (table, { projectId }) => table.remove({ projectId }),
})
