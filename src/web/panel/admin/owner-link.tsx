import { Link } from 'wouter'

/** Ids begin with their time, so those of one minute differ only at their end. */
const END = -8

export const OwnerLink = ({ ownerId }: { readonly ownerId: string | null }) =>
  ownerId === null ? (
    <span className="soft">none</span>
  ) : (
    <Link href={`/admin/people/${ownerId}`} className="mono" title={ownerId}>
      …{ownerId.slice(END)}
    </Link>
  )
