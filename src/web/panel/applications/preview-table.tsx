/** The previews of an application, and how one is removed. */
import { Link } from 'wouter'
import {
  deleteApplicationsPreviewsByPreviewId,
  getApplicationsByIdStatsLive,
  postApplicationsByIdExec,
} from '#api-client/panel/applications'
import type { Preview } from '#api-client/panel/schemas'
import { Empty, State } from '../../kit/controls.tsx'
import { RowsTable } from '../../kit/rows-table.tsx'
import { Time } from '../../kit/time.tsx'
import { ProjectAction, useProject } from '../projects/rights.tsx'

export function PreviewTable({ id, of }: { readonly id: string; readonly of: readonly Preview[] }) {
  if (of.length === 0) return <Empty>A pull request is deployed beside the application until it is closed.</Empty>
  return (
    <RowsTable
      rows={of}
      caption="Previews of the application"
      keyOf={(preview) => preview.id}
      columns={[
        { label: 'Pull request', of: ({ pullRequest }) => `#${pullRequest}` },
        { label: 'State', of: (preview) => <Newest id={id} of={preview} /> },
        {
          label: 'Address',
          of: ({ url }) => (url === null ? <span className="soft">none</span> : <Address of={url} />),
        },
        { label: 'Deployed', of: ({ updatedAt }) => <Time at={updatedAt} /> },
        { label: 'Inside', of: (preview) => <Inside id={id} of={preview} /> },
        { label: 'Actions', of: (preview) => <Removal of={preview} /> },
      ]}
    />
  )
}

const Address = ({ of: url }: { readonly of: string }) => (
  <a href={url} className="long" rel="noreferrer" target="_blank">
    {url}
  </a>
)

function Newest({ id, of: { deploymentId, status } }: { readonly id: string; readonly of: Preview }) {
  if (deploymentId === null || status === null) return <span className="soft">not deployed yet</span>
  return (
    <Link href={`/applications/${id}/deployments/${deploymentId}`}>
      <State of={status} />
    </Link>
  )
}

/** What its containers use, and commands in them. */
function Inside({ id, of: { id: previewId } }: { readonly id: string; readonly of: Preview }) {
  const { can } = useProject()
  const at = (part: string): string => `/applications/${id}/${part}?previewId=${previewId}`
  return (
    <span className="row">
      {can(getApplicationsByIdStatsLive) && <Link href={at('containers')}>Containers</Link>}
      {can(postApplicationsByIdExec) && <Link href={at('command')}>Run a command</Link>}
    </span>
  )
}

const Removal = ({ of: { id: previewId, pullRequest } }: { readonly of: Preview }) => (
  <ProjectAction
    operation={deleteApplicationsPreviewsByPreviewId}
    input={{ params: { previewId } }}
    label="Remove"
    title={`Remove the preview of #${pullRequest}`}
    tone="bad"
    about={<p>Its containers, images and data are removed. New commits in the pull request bring it back.</p>}
    done="The preview is removed"
  />
)
