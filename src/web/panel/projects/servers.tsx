/** The servers of a project, and which of them reach each other. */
import { getProjectsByIdMesh } from '#api-client/panel/projects'
import type { Mesh } from '#api-client/panel/schemas'
import { Empty, Part, State } from '../../kit/controls.tsx'
import { Shown } from '../../kit/page.tsx'
import { RowsTable } from '../../kit/rows-table.tsx'
import { Time } from '../../kit/time.tsx'
import { useAnswerIf } from '../../session/context.tsx'

/** Measurements make no event. */
const LOOK_MS = 30_000

export function ProjectServers({ id }: { readonly id: string }) {
  const mesh = useAnswerIf(true, getProjectsByIdMesh, { params: { id } }, () => true, LOOK_MS)
  return (
    <Part title="Servers">
      <Shown answer={mesh}>{(data) => <Servers of={data} />}</Shown>
    </Part>
  )
}

function Servers({ of: { servers, links } }: { readonly of: Mesh }) {
  const nameOf = (id: string) => <span className="long">{servers.find((each) => each.id === id)?.name ?? id}</span>
  if (servers.length === 0) return <Empty>Servers that you may use stand here.</Empty>
  return (
    <>
      <RowsTable
        rows={servers}
        caption="Servers of the project, and those that you may use"
        keyOf={(server) => server.id}
        columns={[
          { label: 'Server', of: ({ name }) => <span className="long">{name}</span> },
          { label: 'State', of: ({ status }) => <State of={status} /> },
          { label: 'Used by the project', of: ({ isUsed }) => (isUsed ? 'yes' : 'no') },
        ]}
      />
      {links.length > 0 && (
        <RowsTable
          rows={links}
          caption="Links between the servers of the project"
          keyOf={({ from, to }) => `${from} ${to}`}
          columns={[
            { label: 'From', of: ({ from }) => nameOf(from) },
            { label: 'To', of: ({ to }) => nameOf(to) },
            { label: 'Link', of: ({ state }) => <State of={state} /> },
            { label: 'Round trip', of: ({ rttMs }) => (rttMs === null ? '–' : `${rttMs.toFixed(1)} ms`) },
            { label: 'Measured', of: ({ at }) => (at === null ? 'never' : <Time at={at} />) },
          ]}
        />
      )}
    </>
  )
}
