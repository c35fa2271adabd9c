/** What may be done with a member of staff. */
import { deleteAdminStaffById, patchAdminStaffById, postAdminStaffByIdReset2fa } from '#api-client/licensing/staff'
import type { getAdminStaff } from '#api-client/licensing/staff'
import type { DataOf } from '#api-client/operation'
import type { ItemOf } from '#api-client/paging'
import { Action } from '../../kit/action.tsx'
import { useAccount } from '../../session/context.tsx'

type Member = ItemOf<DataOf<typeof getAdminStaff>>

export function MemberActions({ member }: { readonly member: Member }) {
  const own = useAccount()
  const { id, name } = member
  const input = { params: { id } }
  return (
    <span className="actions">
      <Action
        operation={patchAdminStaffById}
        input={input}
        initial={member}
        label="Change"
        title={`Change ${name}`}
        tone="quiet"
        about={<p>Roles take effect with the next request.</p>}
        submit="Save"
        done={`${name} is changed`}
      />
      <Action
        operation={postAdminStaffByIdReset2fa}
        input={input}
        label="Lost factor"
        title={`Remove the second factor of ${name}`}
        tone="quiet"
        about={<p>{name} signs in with the password alone. All sessions end.</p>}
        record={member}
        isOffered={id !== own.id}
        submit="Remove the second factor"
        done={`The second factor of ${name} is removed`}
      />
      <Action
        operation={deleteAdminStaffById}
        input={input}
        label="Remove"
        title={`Remove ${name}`}
        tone="bad"
        about={
          <p>
            All sessions of {name} end. What {name} did stays in the audit trail.
          </p>
        }
        done={`${name} is removed`}
      />
    </span>
  )
}
