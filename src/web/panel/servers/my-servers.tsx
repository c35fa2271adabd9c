/** For those who may not view all servers: the ones that they may use, and what is free there. */
import { Link } from 'wouter'
import { getServersMine, getServersMyAllowance } from '#api-client/panel/servers'
import { gibibytes } from '../../kit/bytes.ts'
import { Empty, State, Value } from '../../kit/controls.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { wordOf } from '../../kit/words.ts'
import { useAnswer } from '../../session/context.tsx'
import { BEAT_MS, cpus } from './load.tsx'

export function MyServers() {
  const { data } = useAnswer(getServersMyAllowance)
  const free = new Map(data?.each.map((each) => [each.serverId, each.free]))
  const freeOf = (id: string, part: 'cpuMillis' | 'memoryMiB' | 'diskMiB', text: (amount: number) => string) => {
    const amount = free.get(id)?.[part]
    return amount === undefined ? '' : amount === null ? 'no limit' : text(amount)
  }
  return (
    <RecordTable
      operation={getServersMine}
      caption="Servers that you may use"
      everyMs={BEAT_MS}
      keyOf={({ id }) => id}
      columns={[
        {
          label: 'Server',
          of: ({ id, name }) => (
            <Link href={`/servers/${id}`} className="long">
              {name}
            </Link>
          ),
        },
        { label: 'State', of: ({ status }) => <State of={status} /> },
        { label: 'You may', of: ({ level }) => wordOf(level).toLowerCase() },
        { label: 'Free CPU', of: ({ id }) => freeOf(id, 'cpuMillis', cpus) },
        { label: 'Free memory', of: ({ id }) => freeOf(id, 'memoryMiB', gibibytes) },
        { label: 'Free disk', of: ({ id }) => freeOf(id, 'diskMiB', gibibytes) },
        { label: 'Labels', of: ({ labels }) => <Value of={labels} /> },
      ]}
      empty={<Empty>Servers that an administrator opens to you, your teams or your projects stand here.</Empty>}
    />
  )
}
