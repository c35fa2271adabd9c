import { getProjectsRbacCatalog } from '#api-client/panel/projects'
import { Shown } from '../../kit/page.tsx'
import { PermissionMatrix } from '../../kit/permissions.tsx'
import { wordOf } from '../../kit/words.ts'
import { useAnswer } from '../../session/context.tsx'

export function BuiltInRoles() {
  const catalog = useAnswer(getProjectsRbacCatalog)
  return (
    <Shown answer={catalog}>
      {({ permissions, roles }) => (
        <PermissionMatrix
          caption="Permissions of the built-in roles"
          of={permissions}
          holders={roles.map((each) => ({ name: wordOf(each.role), permissions: each.permissions }))}
        />
      )}
    </Shown>
  )
}
