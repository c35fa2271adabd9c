/** Above each page, while the license asks for a change. */
import { getAdminLicense } from '#api-client/panel/license'
import { Notice, State } from '../../kit/controls.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'
import { useAnswerIf } from '../../session/context.tsx'
import { SetLicense } from './set-license.tsx'

const TOLD: readonly string[] = ['GRACE', 'DEGRADED', 'TAMPERED']

export default function LicenseBanner() {
  const { data } = useAnswerIf(true, getAdminLicense, {})
  if (!data || !TOLD.includes(data.status)) return null
  return (
    <Notice tone={data.status === 'GRACE' ? 'warn' : 'bad'}>
      <p>
        License: <State of={data.status} />. {data.reason && `${wordOf(data.reason)}.`}
      </p>
      {data.graceUntil && (
        <p>
          Unless it is renewed, it gets worse <Time at={data.graceUntil} />.
        </p>
      )}
      <div className="row">
        <SetLicense hasOne={data.keyId !== null} />
      </div>
    </Notice>
  )
}
