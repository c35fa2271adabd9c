import { section } from '#kernel/resource/section'
import { projectViewers } from '#panel/access/audiences'
import { notes } from './decider.ts'
import { noteImports } from './operation.ts'
import { noteImportTable, noteTable } from './projection.ts'
import { noteJobs } from './reactions.ts'
import { noteRoutes } from './routes.ts'

export const notesSection = section({
  name: 'notes',
  deciders: [notes, noteImports],
  visibleTo: { notes: projectViewers, noteImports: projectViewers },
  readModels: [noteTable, noteImportTable],
  routes: noteRoutes,
  ...noteJobs,
})
