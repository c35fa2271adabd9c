/** Which permissions each role of staff holds. */
import { roles } from '#api-client/licensing/declared'
import { Part } from '../../kit/controls.tsx'
import { PermissionMatrix } from '../../kit/permissions.tsx'
import { wordOf } from '../../kit/words.ts'

export const Roles = () => (
  <Part title="What each role holds">
    <PermissionMatrix
      caption="Permissions by role"
      of={[...new Set(Object.values(roles.staff).flat())]}
      holders={Object.entries(roles.staff).map(([role, permissions]) => ({ name: wordOf(role), permissions }))}
    />
  </Part>
)
