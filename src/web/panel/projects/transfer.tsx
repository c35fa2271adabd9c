import { getProjectsByIdMembers, postProjectsByIdTransferOwnership } from '#api-client/panel/projects'
import { chosenIn, SelectInput } from '../../kit/select-input.tsx'
import { useAnswer } from '../../session/context.tsx'
import { Matter } from './matter.tsx'
import { personName } from './member-name.ts'
import { ProjectAction } from './rights.tsx'

export function Transfer({ id }: { readonly id: string }) {
  const { data } = useAnswer(getProjectsByIdMembers, { params: { id } })
  const members = (data && 'items' in data ? data.items : (data ?? [])).filter(
    ({ status, role }) => status === 'ACTIVE' && role !== 'OWNER',
  )
  return (
    <Matter
      title="Owner"
      about={
        members.length === 0
          ? 'Another member can become the owner. There is none yet.'
          : 'Another member becomes the owner; you stay as an admin.'
      }
    >
      <ProjectAction
        operation={postProjectsByIdTransferOwnership}
        input={{ params: { id } }}
        label="Transfer the project"
        isOffered={members.length > 0}
        inputs={{
          memberId: (value, change) => (
            <SelectInput
              label="New owner"
              value={chosenIn(value)}
              options={members.map((member) => ({ value: member.id, label: personName(member) }))}
              onChange={change}
            />
          ),
        }}
        done="The project is transferred"
      />
    </Matter>
  )
}
