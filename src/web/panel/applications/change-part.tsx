/** Changes one part of an application. */
import type { ReactNode } from 'react'
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
  /** What else is to be known, in sentences. */
  readonly more?: ReactNode
}

export const ChangePart = ({ of: application, label, only, inputs = {}, more }: ChangePartProps) => (
  <ProjectAction
    operation={patchApplicationsById}
    input={{ params: { id: application.id } }}
    label={label}
    about={
      <>
        <p>The next deployment or restart takes it. What runs stays as it is until then.</p>
        {more}
      </>
    }
    only={only}
    order={only}
    initial={{ ...application }}
    labels={AMOUNTS}
    inputs={inputs}
    done="The application is changed"
  />
)
