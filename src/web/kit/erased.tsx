/** In place of what cannot be read any more: the key that sealed it is destroyed. */
import { Value } from './controls.tsx'

/** What the service answers in place of text whose subject was erased. */
export const ERASED = 'ERASED'

export const Erased = () => <span className="erased">erased</span>

/** A value of an entry, which may be erased. */
export const EntryValue = ({ of }: { readonly of: unknown }) => (of === ERASED ? <Erased /> : <Value of={of} />)
