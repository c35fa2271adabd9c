/** Changes one part of an application. */
import { patchApplicationsById } from '#api-client/panel/applications'
import type { Application } from '#api-client/panel/schemas'
import type { Inputs } from '../projects/environments-choice.tsx'
import { ProjectAction } from '../projects/rights.tsx'
import { AMOUNTS } from './labels.ts'

interface ChangePartProps {
  readonly of: Application
  readonly label: string
  readonly only: readonly string[]
  readonly inputs?: Inputs
}

export const ChangePart = ({ of: application, label, only, inputs = {} }: ChangePartProps) => (
  <ProjectAction
    operation={patchApplicationsById}
    input={{ params: { id: application.id } }}
    label={label}
    about={<p>The next deployment takes it. What runs stays as it is until then.</p>}
    only={only}
    order={only}
    initial={{ ...application }}
    labels={AMOUNTS}
    inputs={inputs}
    done="The application is changed"
  />
)
