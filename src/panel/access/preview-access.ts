/** Access rules for previews: rights in the project of their application, in its environment. */
import { requiring } from '#kernel/http/requirement'
import type { Access, AccessRuleInput } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { findRow } from '#kernel/projections/lookup'
import { previewTable } from '#projections/panel/applications/previews'
import type { PreviewRow } from '#projections/panel/applications/previews'
import { mustHold } from '../projects/rights/rules.ts'
import { session } from './access.ts'
import { rightsIn } from './project-access.ts'

const DEPLOY = 'apps:deploy'

type InPath = AccessRuleInput & { readonly params: { readonly previewId: string } }

/** Answers 404 to a caller that does not see the environment, as for a preview that does not exist. */
export const onPreview: Access<PreviewRow> = {
  ...session,
  rule: requiring(
    `the permission \`${DEPLOY}\` in the environment of the application`,
    async ({ read, caller, params }: InPath): Promise<PreviewRow> => {
      const preview = found(await findRow(read, previewTable, { id: params.previewId }))
      mustHold(await rightsIn(read, caller, preview.projectId), DEPLOY, preview.environmentId)
      return preview
    },
    [`environment:${DEPLOY}`],
  ),
}
