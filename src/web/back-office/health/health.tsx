import { getAdminHealth } from '#api-client/licensing/health'
import { HealthFacts } from '../../kit/health-facts.tsx'
import { Page, Shown } from '../../kit/page.tsx'
import { useAnswer } from '../../session/context.tsx'

export default function Health() {
  const health = useAnswer(getAdminHealth)
  return (
    <Page title="Health">
      <Shown answer={health}>{(data) => <HealthFacts of={data} />}</Shown>
    </Page>
  )
}
