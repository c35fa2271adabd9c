import { useState } from 'react'
import { Link } from 'wouter'
import { getAdminReaperScan, postAdminReaperReap } from '#api-client/panel/reaper'
import type { Reap, ReaperScan } from '#api-client/panel/schemas'
import { getServers } from '#api-client/panel/servers'
import { Action } from '../../kit/action.tsx'
import { bytes } from '../../kit/bytes.ts'
import { ButtonLink, Empty, Notice, Part } from '../../kit/controls.tsx'
import { RecordPage } from '../../kit/page.tsx'
import { RowsTable } from '../../kit/rows-table.tsx'
import { wordOf } from '../../kit/words.ts'
import { useAnswer } from '../../session/context.tsx'
import { Options } from './options.tsx'
import type { Option } from './options.tsx'

type ScannedServer = ReaperScan['servers'][number]

/** What this panel has made on hosts and nothing expects. */
export default function Leftovers() {
  const scan = useAnswer(getAdminReaperScan)
  const [reap, setReap] = useState<Reap>()
  const [options, setOptions] = useState<readonly Option[]>([])
  const nameOf = useServerNames()
  return (
    <RecordPage
      kind="Leftovers"
      answer={scan}
      loading="The hosts are asked what is on them. That takes up to ten seconds."
      title={() => 'Leftovers'}
      actions={({ scanId, servers }) => (
        <Action
          operation={postAdminReaperReap}
          label="Clean up"
          title="Clean up the hosts"
          tone="bad"
          about={
            <>
              <p>Each leftover is looked at once more, and removed if nothing expects it. Volumes stay.</p>
              <Options chosen={options} onChange={setOptions} />
            </>
          }
          input={{ query: Object.fromEntries(options.map((option) => [option, 'true'])) }}
          fixed={{ scanId }}
          isOffered={servers.length > 0}
          done="The hosts are being cleaned up"
          onDone={setReap}
        />
      )}
    >
      {({ servers }) => (
        <>
          {reap && reap.tasks.length > 0 && (
            <Notice>
              {reap.tasks.map(({ serverId, taskId }) => (
                <p key={taskId}>
                  {nameOf(serverId)}: <Link href={`/servers/tasks/${taskId}`}>follow the removal</Link>
                </p>
              ))}
            </Notice>
          )}
          {servers.length === 0 && (
            <Empty action={<ButtonLink to="/servers">Add a server</ButtonLink>}>
              What this panel has made on hosts, is older than an hour and nothing expects stands here.
            </Empty>
          )}
          {servers.map((server) => (
            <Part key={server.serverId} title={nameOf(server.serverId)}>
              <Found on={server} name={nameOf(server.serverId)} />
            </Part>
          ))}
        </>
      )}
    </RecordPage>
  )
}

function Found({ on: { items, problem }, name }: { readonly on: ScannedServer; readonly name: string }) {
  return (
    <>
      {problem && (
        <Notice tone="warn">
          <p>{problem.message}</p>
        </Notice>
      )}
      {items.length > 0 ? (
        <RowsTable
          rows={items}
          caption={`Leftovers on ${name}`}
          keyOf={({ kind, id }) => `${kind} ${id}`}
          columns={[
            { label: 'Kind', of: ({ kind }) => wordOf(kind) },
            { label: 'Name', of: (item) => <span className="long">{item.name}</span> },
            { label: 'Age', of: ({ ageSeconds }) => hours(ageSeconds) },
            { label: 'Size', of: (item) => (item.bytes === null ? '–' : bytes(item.bytes)) },
          ]}
        />
      ) : (
        !problem && <p className="soft">Nothing is left over.</p>
      )}
    </>
  )
}

const HOUR_SECONDS = 3_600
const hours = (seconds: number | null): string => (seconds === null ? '–' : `${Math.round(seconds / HOUR_SECONDS)} h`)

function useServerNames(): (id: string) => string {
  const { data } = useAnswer(getServers)
  const servers = data && 'items' in data ? data.items : (data ?? [])
  return (id) => servers.find((each) => each.id === id)?.name ?? id
}
