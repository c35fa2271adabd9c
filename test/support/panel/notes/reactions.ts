import { operationJobs } from '#kernel/resource/operation-jobs'
import { notes } from './decider.ts'
import { noteImports } from './operation.ts'
import { noteImportTable } from './projection.ts'

export const noteJobs = operationJobs('note-imports', noteImports, {
  table: noteImportTable,
  /** After a kill it begins again. A line that was added before is not added again. */
  async perform({ noteImportId, projectId, text }, { run, signal, log }) {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    for (const [nth, line] of lines.entries()) {
      signal.throwIfAborted()
      const note = { projectId, text: line, origin: `${noteImportId}/${nth}` }
      const added = await run((unit) => unit.decide(notes, projectId, 'Add', { ...note, noteId: unit.newId() }))
      if (added.length > 0) await log(`Imported line ${nth + 1} of ${lines.length}`)
    }
    return { notes: lines.length }
  },
})
