import { Link } from 'wouter'
import { getAdminCapacity } from '#api-client/panel/capacity'
import type { ServerCapacity } from '#api-client/panel/schemas'
import { getServers } from '#api-client/panel/servers'
import { gibibytes } from '../../kit/bytes.ts'
import { ButtonLink, Empty, State } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { useAnswer } from '../../session/context.tsx'
import { BEAT_MS, cpus, Used } from '../servers/load.tsx'

type Amount = keyof ServerCapacity['reserved']

export default function Capacity() {
  const { data } = useAnswer(getServers)
  const servers = data && 'items' in data ? data.items : (data ?? [])
  const nameOf = (id: string): string => servers.find((each) => each.id === id)?.name ?? id
  return (
    <Page title="Capacity">
      <RecordTable
        operation={getAdminCapacity}
        caption="Capacity of the servers"
        everyMs={BEAT_MS}
        keyOf={({ serverId }) => serverId}
        columns={[
          {
            label: 'Server',
            of: ({ serverId }) => (
              <Link href={`/servers/${serverId}`} className="long">
                {nameOf(serverId)}
              </Link>
            ),
          },
          { label: 'State', of: ({ status }) => <State of={status} /> },
          { label: 'Workloads', of: (load) => <Reserved of={load} amount="workloads" text={String} /> },
          { label: 'CPU', of: (load) => <Both of={load} part="CPU" amount="cpuMillis" text={cpus} /> },
          { label: 'Memory', of: (load) => <Both of={load} part="Memory" amount="memoryMiB" text={gibibytes} /> },
          { label: 'Disk', of: (load) => <Both of={load} part="Disk" amount="diskMiB" text={gibibytes} /> },
        ]}
        empty={
          <Empty action={<ButtonLink to="/servers">Add a server</ButtonLink>}>
            What is reserved and used on each server stands here.
          </Empty>
        }
      />
    </Page>
  )
}

interface ReservedProps {
  readonly of: ServerCapacity
  readonly amount: Amount
  readonly text: (amount: number) => string
}

const Reserved = ({ of: { quota, reserved }, amount, text }: ReservedProps) => (
  <>
    <div>{text(reserved[amount])} reserved</div>
    <div className="soft">{quota[amount] === null ? 'no limit' : `at most ${text(quota[amount])}`}</div>
  </>
)

const Both = ({ part, ...reserved }: ReservedProps & { readonly part: 'CPU' | 'Memory' | 'Disk' }) => (
  <>
    <Reserved {...reserved} />
    {reserved.of.used && (
      <div className="soft">
        <Used of={reserved.of} part={part} /> used
      </div>
    )}
  </>
)
