import { bytes } from '../../kit/bytes.ts'

export const Size = ({ of }: { readonly of: number | null }) =>
  of === null ? <span className="soft">not measured</span> : bytes(of)
