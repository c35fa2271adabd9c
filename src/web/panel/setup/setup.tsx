/** From the link that the host prints to a panel that can be used. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { Operation } from '#api-client/operation'
import { getAuthSetupStatus } from '#api-client/panel/auth'
import { getAdminConfig } from '#api-client/panel/config'
import { getAdminLicense } from '#api-client/panel/license'
import { postProjects } from '#api-client/panel/projects'
import { Page, Shown } from '../../kit/page.tsx'
import { useAnswer, useCan, useSessionState } from '../../session/context.tsx'
import { takeFragmentToken } from '../../session/fragment.ts'
import { FirstAccount } from './first-account.tsx'
import { FirstProject } from './first-project.tsx'
import { LicenseStep } from './license-step.tsx'
import { MailStep } from './mail-step.tsx'

export interface StepProps {
  readonly onDone: () => void
}

interface Step {
  readonly name: string
  readonly title: string
  /** A step that the person may not take is left out. */
  readonly needs: Operation
  readonly Content: (props: StepProps) => ReactNode
}

const STEPS: readonly Step[] = [
  { name: 'license', title: 'License', needs: getAdminLicense, Content: LicenseStep },
  { name: 'mail', title: 'Mail server', needs: getAdminConfig, Content: MailStep },
  { name: 'project', title: 'First project', needs: postProjects, Content: FirstProject },
]

export default function Setup() {
  const [token] = useState(takeFragmentToken)
  const { account } = useSessionState()
  return account ? <Steps /> : <Begin token={token} />
}

function Begin({ token }: { readonly token: string | undefined }) {
  const status = useAnswer(getAuthSetupStatus)
  return (
    <Page title="Set up this panel">
      <Shown answer={status}>
        {({ setupRequired }) =>
          setupRequired ? (
            <FirstAccount token={token} />
          ) : (
            <p>
              This panel has its first account already. <Link href="/">Sign in</Link>.
            </p>
          )
        }
      </Shown>
    </Page>
  )
}

function Steps() {
  const can = useCan()
  const [search, setSearch] = useSearchParams()
  const steps = STEPS.filter(({ needs }) => can(needs))
  const place = Math.max(
    0,
    steps.findIndex(({ name }) => name === search.get('step')),
  )
  const { title, Content } = steps[place]!
  return (
    <Page title={title} state={<span className="soft">{`Step ${place + 1} of ${steps.length}`}</span>}>
      <Content key={title} onDone={() => setSearch({ step: steps[place + 1]?.name ?? '' })} />
    </Page>
  )
}
