import { useLocation } from 'wouter'
import { postAuthMeOnboardingComplete } from '#api-client/panel/auth'
import { postProjects } from '#api-client/panel/projects'
import { DirectAction } from '../../kit/direct-action.tsx'
import { OperationForm } from '../../kit/form.tsx'
import { useChange } from '../../session/context.tsx'

export function FirstProject() {
  const complete = useChange(postAuthMeOnboardingComplete)
  const [, go] = useLocation()
  return (
    <div className="narrow stack">
      <p>A project holds what belongs together: members, environments and shared variables.</p>
      <OperationForm
        operation={postProjects}
        submit="Create the project"
        onDone={({ id }) => void complete({}).finally(() => go(`/projects/${id}`))}
      />
      <div>
        <DirectAction
          operation={postAuthMeOnboardingComplete}
          input={{}}
          label="Later"
          done="The setup is finished"
          onDone={() => go('/')}
        />
      </div>
    </div>
  )
}
