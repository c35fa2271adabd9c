import type { ServerAccessRule } from '#api-client/panel/schemas'
import { getServersByIdAccess } from '#api-client/panel/servers'
import { Empty, Notice, Part, ToneText } from '../../kit/controls.tsx'
import { Shown } from '../../kit/page.tsx'
import { RowsTable } from '../../kit/rows-table.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'
import { useAnswer } from '../../session/context.tsx'
import { AddRule } from './add-rule.tsx'
import { RuleActions } from './rule-actions.tsx'
import { ServerPage } from './server-page.tsx'
import type { WholeServer } from './server-page.tsx'
import { subjectOf, useSubjects } from './subjects.tsx'

export default function ServerAccess() {
  return <ServerPage>{(server) => <Access server={server} />}</ServerPage>
}

function Access({ server: { id, level } }: { readonly server: WholeServer }) {
  const access = useAnswer(getServersByIdAccess, { params: { id } })
  const subjects = useSubjects()
  const isManaged = level === 'MANAGE'
  return (
    <Part
      title="Access rules"
      actions={isManaged && access.data && <AddRule serverId={id} isOpen={access.data.isOpen} subjects={subjects} />}
    >
      <Shown answer={access}>
        {({ isOpen, rules }) =>
          isOpen ? (
            <Empty>Every account may use this server. The first rule closes it to all whom no rule names.</Empty>
          ) : (
            <>
              {rules.every(({ isGone }) => isGone) && <AllGone />}
              <RowsTable
                rows={rules}
                caption="Access rules of the server"
                keyOf={(rule) => rule.id}
                columns={[
                  { label: 'For', of: (rule) => <Subject of={rule} name={subjectOf(rule, subjects)} /> },
                  { label: 'Level', of: (rule) => wordOf(rule.level) },
                  { label: 'Since', of: ({ createdAt }) => <Time at={createdAt} /> },
                  {
                    label: 'Actions',
                    of: (rule) =>
                      isManaged && (
                        <RuleActions
                          serverId={id}
                          rule={rule}
                          name={subjectOf(rule, subjects)}
                          isLast={rules.length === 1}
                        />
                      ),
                  },
                ]}
              />
            </>
          )
        }
      </Shown>
    </Part>
  )
}

const AllGone = () => (
  <Notice tone="warn">
    <p>No rule names anything that exists, so only those who manage all servers may use this one.</p>
  </Notice>
)

const Subject = ({ of: rule, name }: { readonly of: ServerAccessRule; readonly name: string }) => (
  <>
    <span className="long">{name}</span>
    {rule.isGone ? (
      <div>
        <ToneText tone="warn">Gone: gives nothing, and keeps the server closed</ToneText>
      </div>
    ) : (
      <div className="soft">{kindOf(rule)}</div>
    )}
  </>
)

const kindOf = ({ userId, teamId }: ServerAccessRule): string =>
  userId !== null ? 'person' : teamId !== null ? 'team' : 'project: those who may deploy in it'
