import { getShopAnnouncements } from '#api-client/licensing/shop'
import { Notice } from '../../kit/controls.tsx'
import { useList } from '../../session/context.tsx'

const TONES = { INFO: 'quiet', WARNING: 'warn', CRITICAL: 'bad' } as const

export function Announcements() {
  const { items } = useList(getShopAnnouncements, {})
  return items.map(({ id, title, body, level }) => (
    <Notice key={id} tone={TONES[level]}>
      <h2>{title}</h2>
      <p>{body}</p>
    </Notice>
  ))
}
