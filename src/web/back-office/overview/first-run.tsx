/** What a new installation needs. It ticks itself, and goes when there is a license and the person has a second factor. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { getAdminLicenses } from '#api-client/licensing/licenses'
import { getAdminMetricsSummary } from '#api-client/licensing/metrics'
import { getAdminPlans, postAdminPlans } from '#api-client/licensing/plans'
import { postAdminProvisioning } from '#api-client/licensing/provisioning'
import { Fact, Facts, Part, ToneText } from '../../kit/controls.tsx'
import { useAccount, useAnswerIf, useCan } from '../../session/context.tsx'

interface Step {
  readonly title: string
  /** Undefined: not known yet. */
  readonly isDone: boolean | undefined
  readonly how: ReactNode
}

const ONE = { query: { limit: 1 } }

export function FirstRun() {
  const { totpEnabled } = useAccount()
  const can = useCan()
  const plans = useAnswerIf(true, getAdminPlans, ONE).data?.items
  const licenses = useAnswerIf(true, getAdminLicenses, ONE).data?.items
  const configured = useAnswerIf(true, getAdminMetricsSummary, {}).data?.configured
  const hasLicense = licenses && licenses.length > 0
  if (!can(postAdminPlans) || !can(postAdminProvisioning) || (totpEnabled && hasLicense)) return null
  const steps: readonly Step[] = [
    {
      title: 'Second factor',
      isDone: totpEnabled,
      how: <Link href="/console/account">Set up a second factor of your account</Link>,
    },
    {
      title: 'First plan',
      isDone: plans && plans.length > 0,
      how: <Link href="/console/plans">Say what you sell</Link>,
    },
    {
      title: 'First license',
      isDone: hasLicense,
      how: <Link href="/console/provision">Provision a license for a customer</Link>,
    },
    {
      title: 'Mail',
      isDone: configured?.mail,
      how: 'The operator names a mail server by SMTP_URL. Without it, links are handed over by you.',
    },
    {
      title: 'Payments',
      isDone: configured?.payments,
      how: 'The operator sets STRIPE_SECRET_KEY. Without it, the shop sells nothing and you record payments.',
    },
  ]
  const known = steps.filter(({ isDone }) => isDone !== undefined)
  return licenses && plans ? <FirstSteps steps={known} /> : null
}

const FirstSteps = ({ steps }: { readonly steps: readonly Step[] }) => (
  <Part title="First steps">
    <Facts>
      {steps.map(({ title, isDone, how }) => (
        <Fact key={title} label={title}>
          <span className="row">
            <ToneText tone={isDone ? 'good' : 'quiet'}>{isDone ? 'Done' : 'To do'}</ToneText>
            {!isDone && <span className="soft">{how}</span>}
          </span>
        </Fact>
      ))}
    </Facts>
  </Part>
)
