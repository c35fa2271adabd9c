/** The routes of the panel's third stage, by the catalog's headings. */
import { ADDRESSES } from './stage-3/addresses.ts'
import { DEPLOYMENTS } from './stage-3/deployments.ts'
import { GIT_PROVIDERS } from './stage-3/git-providers.ts'
import { PROJECTS } from './stage-3/projects.ts'
import { READS } from './stage-3/reads.ts'
import { SOURCES } from './stage-3/sources.ts'
import { WEBHOOKS } from './stage-3/webhooks.ts'

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
  ...DEPLOYMENTS,
  ...ADDRESSES,
  ...GIT_PROVIDERS,
  ...READS,
  ...WEBHOOKS,
  ...SOURCES,
  ...PROJECTS,
]
