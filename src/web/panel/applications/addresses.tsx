import {
  deleteApplicationsByIdHostPortsByPortId,
  getApplicationsByIdPorts,
  patchApplicationsByIdBindIp,
  patchApplicationsByIdOutboundIp,
  patchApplicationsByIdUrlMode,
  postApplicationsByIdHostPorts,
} from '#api-client/panel/applications'
import type { Application, ApplicationPort } from '#api-client/panel/schemas'
import { Fact, Facts, Part } from '../../kit/controls.tsx'
import { Shown } from '../../kit/page.tsx'
import { RowsTable } from '../../kit/rows-table.tsx'
import { useAnswer } from '../../session/context.tsx'
import { ProjectAction } from '../projects/rights.tsx'

const ALL = 'all of its server'

/** Where the application is reached, and from where its connections leave. */
export function Addresses({ of: application }: { readonly of: Application }) {
  const { id, url, urlMode, bindIp, outboundIp } = application
  const ports = useAnswer(getApplicationsByIdPorts, { params: { id } })
  return (
    <Part title="Addresses" actions={<Changes of={application} />}>
      <Facts>
        <Fact label="URL">{url === null ? 'none' : <Url of={url} />}</Fact>
        <Fact label="Names">
          {urlMode === 'CLEAN' ? 'its slug under the domain of the installation' : 'a port of its server'}
        </Fact>
        <Fact label="URL at the addresses">{bindIp ?? ALL}</Fact>
        <Fact label="Connections leave from">{outboundIp ?? 'the address that its server chooses'}</Fact>
      </Facts>
      <Shown answer={ports}>{(all) => <Ports id={id} of={all} />}</Shown>
    </Part>
  )
}

const Url = ({ of: url }: { readonly of: string }) => (
  <a href={url} target="_blank" rel="noreferrer" className="long">
    {url}
  </a>
)

function Changes({ of: { id, urlMode, bindIp, outboundIp } }: { readonly of: Application }) {
  const input = { params: { id } }
  return (
    <>
      <ProjectAction
        operation={patchApplicationsByIdUrlMode}
        input={input}
        label="Set the URL"
        initial={{ mode: urlMode }}
        done="The URL is changed"
      />
      <ProjectAction
        operation={patchApplicationsByIdBindIp}
        input={input}
        label="Bind URL"
        initial={{ ip: bindIp }}
        labels={{ ip: 'Address of the server' }}
        done="The URL is bound"
      />
      <ProjectAction
        operation={patchApplicationsByIdOutboundIp}
        input={input}
        label="Way out"
        initial={{ ip: outboundIp }}
        labels={{ ip: 'Address of the server' }}
        done="The way out is changed"
      />
      <ProjectAction
        operation={postApplicationsByIdHostPorts}
        input={input}
        label="Open a port"
        labels={{ containerPort: 'Port of its containers', ip: 'Address of the server', port: 'Port of the server' }}
        done="The port is open"
      />
    </>
  )
}

function Ports({ id, of }: { readonly id: string; readonly of: readonly ApplicationPort[] }) {
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
  if (portId === null) return <span className="soft">of the URL</span>
  return (
    <ProjectAction
      operation={deleteApplicationsByIdHostPortsByPortId}
      input={{ params: { id, portId } }}
      label="Close"
      title={`Close port ${hostPort}`}
      tone="bad"
      about={<p>Nothing leads to the application at this port from then on.</p>}
      done="The port is closed"
    />
  )
}
