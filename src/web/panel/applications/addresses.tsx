import {
  getApplicationsByIdPorts,
  patchApplicationsByIdBindIp,
  patchApplicationsByIdOutboundIp,
  patchApplicationsByIdUrlMode,
} from '#api-client/panel/applications'
import type { Application } from '#api-client/panel/schemas'
import { Fact, Facts, Part } from '../../kit/controls.tsx'
import { Shown } from '../../kit/page.tsx'
import { useAnswer } from '../../session/context.tsx'
import { ProjectAction } from '../projects/rights.tsx'
import { ALL, OpenPort, Ports } from './ports.tsx'

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

function Changes({ of: application }: { readonly of: Application }) {
  const { id, urlMode, bindIp, outboundIp } = application
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
      <OpenPort of={application} />
    </>
  )
}
