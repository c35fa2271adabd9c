/** The ports of the server that lead to an application. */
import {
  deleteApplicationsByIdHostPortsByPortId,
  getApplicationsNextFreePortByProjectId,
  patchApplicationsByIdPorts,
  postApplicationsByIdHostPorts,
} from '#api-client/panel/applications'
import type { Application, ApplicationPort } from '#api-client/panel/schemas'
import { RowsTable } from '../../kit/rows-table.tsx'
import { useAnswerIf } from '../../session/context.tsx'
import type { Inputs } from '../projects/environments-choice.tsx'
import { ProjectAction, useProject } from '../projects/rights.tsx'
import { TextField } from './text-field.tsx'

export const ALL = 'all of its server'

/** Begins with a port that is free now. */
export function OpenPort({ of: { id, projectId, serverId } }: { readonly of: Application }) {
  const { can } = useProject()
  const { data: free } = useAnswerIf(
    can(getApplicationsNextFreePortByProjectId),
    getApplicationsNextFreePortByProjectId,
    { params: { projectId }, query: { serverId } },
  )
  return (
    <ProjectAction
      operation={postApplicationsByIdHostPorts}
      input={{ params: { id } }}
      label="Open a port"
      initial={{ port: free?.port, protocol: 'TCP' }}
      labels={{ containerPort: 'Port of its containers', ip: 'Address of the server', port: 'Port of the server' }}
      done="The port is open"
    />
  )
}

export function Ports({ id, of }: { readonly id: string; readonly of: readonly ApplicationPort[] }) {
  if (of.length === 0) return <p className="soft">No port of its server leads to it.</p>
  return (
    <RowsTable
      rows={of}
      caption="Ports of the server that lead to the application"
      keyOf={(port) => port.id ?? 'url'}
      columns={[
        { label: 'Port of the server', isNumber: true, of: ({ hostPort }) => hostPort },
        { label: 'Address', of: ({ ip }) => ip ?? ALL },
        { label: 'Protocol', of: ({ protocol, via }) => (via === 'EDGE' ? 'HTTP' : protocol) },
        { label: 'Port of its containers', isNumber: true, of: ({ containerPort }) => containerPort },
        { label: 'Actions', of: (port) => <PortActions id={id} of={port} /> },
      ]}
    />
  )
}

function PortActions({ id, of: { id: portId, hostPort } }: { readonly id: string; readonly of: ApplicationPort }) {
  return (
    <div className="row">
      <ProjectAction
        operation={patchApplicationsByIdPorts}
        input={{ params: { id } }}
        label="Move"
        title={`Move port ${hostPort}`}
        about={<p>It is reached at the other port of its server only.</p>}
        initial={{ ports: [{ id: portId, hostPort }] }}
        inputs={movedInput(portId)}
        done="The port is moved"
      />
      {portId === null ? (
        <span className="soft">of the URL</span>
      ) : (
        <ProjectAction
          operation={deleteApplicationsByIdHostPortsByPortId}
          input={{ params: { id, portId } }}
          label="Close"
          title={`Close port ${hostPort}`}
          tone="bad"
          about={<p>Nothing leads to the application at this port from then on.</p>}
          done="The port is closed"
        />
      )}
    </div>
  )
}

type Moved = readonly { readonly hostPort: number }[]

const movedInput = (id: string | null): Inputs => ({
  ports: (value, change) => (
    <TextField
      label="Port of the server"
      isRequired
      pattern="[0-9]{4,5}"
      value={String((value as Moved)[0]?.hostPort ?? '')}
      onChange={(typed) => change([{ id, hostPort: Number(typed.replaceAll(/\D/g, '')) }])}
    />
  ),
})
