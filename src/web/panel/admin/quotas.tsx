import { getAdminQuotasDefaults, patchAdminQuotasDefaults } from '#api-client/panel/quotas'
import { Action } from '../../kit/action.tsx'
import { Fact, Facts } from '../../kit/controls.tsx'
import { RecordPage } from '../../kit/page.tsx'
import { useAnswer } from '../../session/context.tsx'

export default function Quotas() {
  const quotas = useAnswer(getAdminQuotasDefaults)
  return (
    <RecordPage
      kind="Quotas"
      answer={quotas}
      title={() => 'Quotas'}
      actions={(data) => (
        <Action
          key={JSON.stringify(data)}
          operation={patchAdminQuotasDefaults}
          initial={data}
          label="Change"
          title="Change the quotas"
          about={<p>Empty: no limit. A person or a project may have a quota of its own.</p>}
          done="The quotas are changed"
        />
      )}
    >
      {({ projects, members, environments }) => (
        <Facts>
          <Fact label="Projects a person">{projects ?? 'no limit'}</Fact>
          <Fact label="Members a project">{members ?? 'no limit'}</Fact>
          <Fact label="Environments a project">{environments ?? 'no limit'}</Fact>
        </Facts>
      )}
    </RecordPage>
  )
}
