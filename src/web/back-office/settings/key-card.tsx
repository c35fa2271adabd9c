import {
  postAdminSettingsSigningKeysByKidCompromise,
  postAdminSettingsSigningKeysByKidPromote,
  postAdminSettingsSigningKeysByKidRetire,
} from '#api-client/licensing/settings'
import type { getAdminSettingsSigningKeys } from '#api-client/licensing/settings'
import type { DataOf } from '#api-client/operation'
import type { ItemOf } from '#api-client/paging'
import { Action } from '../../kit/action.tsx'
import { Time } from '../../kit/time.tsx'

type SigningKey = ItemOf<DataOf<typeof getAdminSettingsSigningKeys>>

/** What happened to a key, in order. */
const TIMES = [
  ['createdAt', 'Created'],
  ['publishedAt', 'Published'],
  ['promotedAt', 'Promoted'],
  ['retiringAt', 'Replaced'],
  ['retirableAt', 'Can be retired'],
  ['retiredAt', 'Retired'],
  ['compromisedAt', 'Declared compromised'],
] as const

export function KeyCard({ signingKey }: { readonly signingKey: SigningKey }) {
  const { kid, state, licenses, reason } = signingKey
  return (
    <div className="part small">
      <code title={kid}>{kid.slice(0, 12)}…</code>
      <ul className="plain">
        <li>
          {licenses} {licenses === 1 ? 'license' : 'licenses'}
        </li>
        {TIMES.filter(([field]) => signingKey[field] && !(field === 'retirableAt' && state === 'retired')).map(
          ([field, label]) => (
            <li key={field} className="soft">
              {label} <Time at={signingKey[field]} />
            </li>
          ),
        )}
      </ul>
      {reason && <span>{reason}</span>}
      <div className="row">
        <KeyActions signingKey={signingKey} />
      </div>
    </div>
  )
}

const KeyActions = ({ signingKey, signingKey: { kid, state } }: { readonly signingKey: SigningKey }) => (
  <>
    <Action
      operation={postAdminSettingsSigningKeysByKidPromote}
      input={{ params: { kid } }}
      label="Promote"
      about={<p>This key signs from now on. The current key becomes a retiring one.</p>}
      record={signingKey}
      done="The key signs from now on"
    />
    <Action
      operation={postAdminSettingsSigningKeysByKidRetire}
      input={{ params: { kid } }}
      label={state === 'next' ? 'Withdraw' : 'Retire'}
      about={<p>It is refused while panels may still use what this key signed.</p>}
      record={signingKey}
      done="The key is retired"
    />
    <Action
      operation={postAdminSettingsSigningKeysByKidCompromise}
      input={{ params: { kid } }}
      label="Compromised"
      title="Declare this key compromised"
      tone="bad"
      about={<p>All that it signed becomes invalid. Another key signs its licenses again. This cannot be undone.</p>}
      confirm={kid.slice(0, 12)}
      submit="Declare it compromised"
      record={signingKey}
      done="The key is declared compromised"
    />
  </>
)
