import { Link } from 'wouter'
import type { Deployment } from '#api-client/panel/schemas'
import { KIND_WORDS } from './deployment-words.ts'

export const DeploymentLink = ({ of: { id, applicationId, kind } }: { readonly of: Deployment }) => (
  <Link href={`/applications/${applicationId}/deployments/${id}`}>{KIND_WORDS[kind]}</Link>
)
