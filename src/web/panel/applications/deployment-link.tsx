import { Link } from 'wouter'
import type { Deployment } from '#api-client/panel/schemas'
import { KIND_WORDS } from './deployment-words.ts'

export const DeploymentLink = ({ of: { id, applicationId, kind, previewId } }: { readonly of: Deployment }) => (
  <>
    <Link href={`/applications/${applicationId}/deployments/${id}`}>{KIND_WORDS[kind]}</Link>
    {previewId !== null && <span className="soft"> of a preview</span>}
  </>
)
