import { getAdminStaff } from '#api-client/licensing/staff'
import { useAnswerIf } from '../../session/context.tsx'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The name of a member of staff; the id of the service itself, of a member who was removed, or if it may not be read. */
export function StaffName({ id }: { readonly id: string }) {
  const isMember = UUID.test(id)
  const found = useAnswerIf(isMember, getAdminStaff, { query: { q: id } })
  const [member] = found.data?.items ?? []
  return member ? member.name : <code title={id}>{isMember ? `…${id.slice(-8)}` : id}</code>
}
