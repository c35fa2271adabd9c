/** The scopes of a key, and the projects and addresses that it is restricted to. */
import { getProjects } from '#api-client/panel/projects'
import { PermissionList } from '../../kit/permissions.tsx'
import { useList } from '../../session/context.tsx'

interface KeyReachProps {
  readonly of: {
    readonly scopes: readonly string[]
    readonly projectIds: readonly string[] | null
    readonly allowedIps: readonly string[]
  }
}

export function KeyReach({ of: { scopes, projectIds, allowedIps } }: KeyReachProps) {
  return (
    <div className="stack">
      <PermissionList of={scopes} />
      {projectIds && (
        <span>
          Only in <ProjectNames ids={projectIds} />
        </span>
      )}
      {allowedIps.length > 0 && <span>Only from {allowedIps.join(', ')}</span>}
    </div>
  )
}

function ProjectNames({ ids }: { readonly ids: readonly string[] }) {
  const { items } = useList(getProjects, {})
  return ids.map((id) => items.find((project) => project.id === id)?.name ?? 'a project that is gone').join(', ')
}
