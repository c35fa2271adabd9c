/** The routes of the panel's third stage that are built, by the catalog's headings. */
import { GIT_PROVIDERS } from './stage-3/git-providers.ts'
import { READS } from './stage-3/reads.ts'

export const STAGE_3: readonly string[] = [
  // Applications
  'GET /api/applications',
  'POST /api/applications',
  'GET /api/applications/:id',
  'PATCH /api/applications/:id',
  'DELETE /api/applications/:id',
  'GET /api/applications/:id/env',
  'PATCH /api/applications/:id/env',
  'GET /api/applications/:id/env-sets',
  'POST /api/applications/:id/env-sets',
  'GET /api/applications/:id/env-sets/:setId',
  'PATCH /api/applications/:id/env-sets/:setId',
  'DELETE /api/applications/:id/env-sets/:setId',
  'POST /api/applications/:id/env-sets/:setId/activate',
  ...GIT_PROVIDERS,
  ...READS,
]
