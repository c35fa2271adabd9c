import { getServers, getServersMyAllowance, postServers } from '#api-client/panel/servers'
import { Page } from '../../kit/page.tsx'
import { useAnswerIf, useCan } from '../../session/context.tsx'
import { AddServer } from './add-server.tsx'
import { AllServers } from './all-servers.tsx'
import { MyServers } from './my-servers.tsx'
import { OwnHost } from './own-host.tsx'

export default function Servers() {
  const can = useCan()
  return (
    <Page title="Servers" state={<Number />} actions={<AddServer />}>
      <OwnHost />
      {can(getServers) ? <AllServers /> : <MyServers />}
    </Page>
  )
}

/** How many there are, for those who may add one. */
function Number() {
  const can = useCan()
  const { data } = useAnswerIf(can(postServers), getServersMyAllowance, {})
  if (!data?.servers) return null
  const { used, max } = data.servers
  return <span className="soft">{max === null ? used : `${used} of ${max}`}</span>
}
