/** Says that what runs was made before the newest changes, and makes it anew. */
import { useLocation } from 'wouter'
import { postApplicationsByIdRestart } from '#api-client/panel/applications'
import type { Application } from '#api-client/panel/schemas'
import { Notice } from '../../kit/controls.tsx'
import { ProjectAction } from '../projects/rights.tsx'

export function PendingChanges({ of: { id, name, pendingChanges } }: { readonly of: Application }) {
  const [, go] = useLocation()
  if (!pendingChanges) return null
  return (
    <Notice tone="warn">
      <p>
        What runs was made before the newest changes of its configuration, files or variables. A restart takes them to
        new containers; another source or file is built by a deployment.
      </p>
      <div className="row">
        <ProjectAction
          operation={postApplicationsByIdRestart}
          input={{ params: { id } }}
          label="Restart with the changes"
          title={`Restart ${name}`}
          about={<p>New containers of the same images take the place of the present ones, as configured now.</p>}
          done="The restart is asked for"
          onDone={(made) => go(`/applications/${id}/deployments/${made.id}`)}
        />
      </div>
    </Notice>
  )
}
