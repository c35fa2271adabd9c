import { getProjectsRbacCatalog, putProjectsByIdMembersByMemberIdGrants } from '#api-client/panel/projects'
import { PermissionChoice } from '../../kit/permissions.tsx'
import { useAnswer } from '../../session/context.tsx'
import { environmentInput } from './environments-choice.tsx'
import { ProjectAction } from './rights.tsx'

interface MemberGrantsProps {
  readonly params: { readonly id: string; readonly memberId: string }
  readonly held: {
    readonly role: string
    readonly permissions: readonly string[]
    readonly environmentIds: readonly string[] | null
  }
  readonly isOffered: boolean
}

export function MemberGrants({ params, held, isOffered }: MemberGrantsProps) {
  const { permissions, environmentIds } = held
  const { data: catalog } = useAnswer(getProjectsRbacCatalog)
  return (
    <ProjectAction
      operation={putProjectsByIdMembersByMemberIdGrants}
      input={{ params }}
      label="Change the permissions"
      about={<p>These are added to those of the role. The environments limit all rights of the member.</p>}
      initial={{ permissions, environmentIds }}
      inputs={{
        ...environmentInput,
        permissions: (value, change) => (
          <PermissionChoice
            legend="Permissions beyond the role"
            of={catalog?.permissions ?? []}
            value={value as readonly string[]}
            onChange={change}
          />
        ),
      }}
      record={held}
      isOffered={isOffered}
      done="The permissions are changed"
    />
  )
}
