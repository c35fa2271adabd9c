/** The session cookie is accepted from the public address only. */
import { Notice } from '../kit/controls.tsx'

const publicOrigin = (): string | undefined => document.querySelector<HTMLMetaElement>('meta[name=origin]')?.content

/** Says that this page was opened by another address than the public one, and links to that. */
export function WrongOrigin() {
  const origin = publicOrigin()
  if (!origin || origin === location.origin) return null
  return (
    <Notice tone="warn">
      <p>
        You would be signed out soon here. Open{' '}
        <a href={origin + location.pathname + location.search + location.hash}>{origin}</a> instead.
      </p>
    </Notice>
  )
}
