/** The end of a provider, with what uses it. */
import { useState } from 'react'
import { Link } from 'wouter'
import { getApplications } from '#api-client/panel/applications'
import { deleteGitProvidersById } from '#api-client/panel/git-providers'
import type { GitProvider } from '#api-client/panel/schemas'
import { Action } from '../../kit/action.tsx'
import { useList } from '../../session/context.tsx'

interface RemoveProps {
  readonly of: GitProvider
  readonly isOffered: boolean
}

export function RemoveProvider({ of: { id, name }, isOffered }: RemoveProps) {
  const [isDetached, setDetached] = useState(false)
  return (
    <Action
      operation={deleteGitProvidersById}
      input={{ params: { id }, query: { detach: isDetached ? 'true' : 'false' } }}
      label="Remove"
      title={`Remove ${name}`}
      tone="bad"
      about={
        <>
          <p>Its credentials are removed here. The provider itself does not revoke them.</p>
          <Users id={id} />
          <label className="check">
            <input type="checkbox" checked={isDetached} onChange={(event) => setDetached(event.target.checked)} />
            <span>Also if applications use it. They run on, and get no new code until they have another provider.</span>
          </label>
        </>
      }
      isOffered={isOffered}
      done="The provider is removed"
    />
  )
}

/** Those that the person sees: there may be others. */
function Users({ id }: { readonly id: string }) {
  const { items } = useList(getApplications, {})
  const users = (items ?? []).filter(({ source }) => source.kind === 'GIT' && source.providerId === id)
  if (users.length === 0) return null
  return (
    <>
      <p>These applications use it:</p>
      <ul>
        {users.map((application) => (
          <li key={application.id}>
            <Link to={`/applications/${application.id}`} className="long">
              {application.name}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
