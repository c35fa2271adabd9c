/** Below a refusal for a limit of the license: where the license is, for those who may see it. */
import { getAdminLicense } from '#api-client/panel/bare'
import { ButtonLink } from '../../kit/controls.tsx'
import { useCan } from '../../session/context.tsx'

export function LargerPlan() {
  const can = useCan()
  if (!can(getAdminLicense)) return <p>An administrator of this panel can change its license.</p>
  return (
    <p>
      <ButtonLink to="/admin/license">Look at the license</ButtonLink>
    </p>
  )
}
