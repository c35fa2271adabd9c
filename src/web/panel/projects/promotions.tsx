/** What a promotion has done, or would do, application by application. */
import { Link } from 'wouter'
import type { Application, Promotion } from '#api-client/panel/schemas'
import { Empty, ToneText } from '../../kit/controls.tsx'
import { RowsTable } from '../../kit/rows-table.tsx'

interface PromotionsProps {
  readonly of: readonly Promotion[]
  readonly applications: readonly Application[]
  /** The name of the other environment. */
  readonly to: string
  /** False: a dry run. */
  readonly isDone?: boolean
}

export function Promotions({ of, applications, to: other, isDone = false }: PromotionsProps) {
  const nameOf = (id: string): string => applications.find((each) => each.id === id)?.name ?? id
  if (of.length === 0) return <Empty>The environment has no application.</Empty>
  return (
    <RowsTable
      rows={of}
      caption={isDone ? 'What was promoted' : 'What would be promoted'}
      keyOf={({ from }) => from}
      columns={[
        { label: 'Application', of: ({ from }) => <Named id={from} name={nameOf(from)} /> },
        {
          label: `In ${other}`,
          of: ({ to, reason }) =>
            to === null ? reason ? 'none' : 'a copy is made' : <Named id={to} name={nameOf(to)} />,
        },
        { label: 'What follows', of: (each) => <Outcome of={each} isDone={isDone} /> },
      ]}
    />
  )
}

const Named = ({ id, name }: { readonly id: string; readonly name: string }) => (
  <Link href={`/applications/${id}`} className="long">
    {name}
  </Link>
)

interface OutcomeProps {
  readonly of: Promotion
  readonly isDone: boolean
}

function Outcome({ of: { to, deploymentId, reason }, isDone }: OutcomeProps) {
  if (reason) return <ToneText tone="warn">{reason.message}</ToneText>
  if (!isDone) return <ToneText tone="good">it is deployed</ToneText>
  if (to === null || deploymentId === null) return <ToneText tone="quiet">nothing</ToneText>
  return <Link href={`/applications/${to}/deployments/${deploymentId}`}>its deployment</Link>
}
