import { useState } from 'react'
import type { DataOf } from '#api-client/operation'
import { getUsersMeNotificationPreferences, putUsersMeNotificationPreferences } from '#api-client/panel/users'
import { Part } from '../../kit/controls.tsx'
import { Shown } from '../../kit/page.tsx'
import { RefusalNotice } from '../../kit/refusal.tsx'
import { wordOf } from '../../kit/words.ts'
import { useAnswer, useChange } from '../../session/context.tsx'

type Wanted = DataOf<typeof getUsersMeNotificationPreferences>['notifications']

export function NotificationPreferences() {
  const preferences = useAnswer(getUsersMeNotificationPreferences)
  return (
    <Part title="Notifications">
      <p className="soft">What your inbox tells you. Each change is saved at once.</p>
      <Shown answer={preferences}>{({ notifications }) => <Kinds wanted={notifications} />}</Shown>
    </Part>
  )
}

/** A box shows what is saved, so it moves when the service has answered. */
function Kinds({ wanted }: { readonly wanted: Wanted }) {
  const change = useChange(putUsersMeNotificationPreferences)
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Error>()
  async function set(kind: string, isWanted: boolean): Promise<void> {
    if (isBusy) return
    setBusy(true)
    setRefused(undefined)
    await change({ body: { notifications: { ...wanted, [kind]: isWanted } } }).catch(setRefused)
    setBusy(false)
  }
  return (
    <>
      <fieldset className="field" aria-busy={isBusy}>
        <legend className="only-read">Kinds of notifications</legend>
        <div className="checks">
          {Object.entries(wanted).map(([kind, isWanted]) => (
            <label key={kind} className="check">
              <input
                type="checkbox"
                checked={isWanted}
                aria-disabled={isBusy || undefined}
                onChange={({ target }) => void set(kind, target.checked)}
              />
              <span>{wordOf(kind)}</span>
            </label>
          ))}
        </div>
      </fieldset>
      {refused && <RefusalNotice of={refused} />}
    </>
  )
}
