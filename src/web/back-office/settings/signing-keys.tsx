/** The keys that sign licenses, along their way from the next one to a retired one. */
import { getAdminSettingsSigningKeys, postAdminSettingsSigningKeys } from '#api-client/licensing/settings'
import type { DataOf } from '#api-client/operation'
import { Action } from '../../kit/action.tsx'
import { Fact, Facts, Notice, Part } from '../../kit/controls.tsx'
import { Shown } from '../../kit/page.tsx'
import { Stages } from '../../kit/stages.tsx'
import { Time } from '../../kit/time.tsx'
import { useAnswer } from '../../session/context.tsx'
import { KeyCard } from './key-card.tsx'

type Ring = DataOf<typeof getAdminSettingsSigningKeys>

export const SigningKeys = () => {
  const ring = useAnswer(getAdminSettingsSigningKeys)
  return (
    <Part title="Signing keys" actions={<CreateKey ring={ring.data} />}>
      <Shown answer={ring}>{(data) => <KeyRing ring={data} />}</Shown>
    </Part>
  )
}

/** There is one next key at a time. */
const CreateKey = ({ ring }: { readonly ring: Ring | undefined }) => (
  <Action
    operation={postAdminSettingsSigningKeys}
    label="Create the next key"
    about={<p>The key is published at once, so that panels learn it. It signs nothing until it is promoted.</p>}
    isOffered={ring !== undefined && !ring.items.some(({ state }) => state === 'next')}
    done="The next key is published"
  />
)

const WAY = [
  ['next', 'Next', 'Published, so that panels know it before it signs.'],
  ['current', 'Current', 'Signs licenses and leases.'],
  ['retiring', 'Retiring', 'Signs no more. What it signed stays valid.'],
  ['retired', 'Retired', 'Nothing that it signed is in use.'],
] as const

const KeyRing = ({ ring: { items, root, manifest } }: { readonly ring: Ring }) => (
  <>
    {!manifest.upToDate && (
      <Notice tone="warn">
        <p>The keys have changed since the newest manifest. The holder of the root key should sign another one.</p>
      </Notice>
    )}
    <Stages
      label="Signing keys by their state"
      stages={WAY.map(([state, title, about]) => ({
        title,
        about,
        items: items.filter((key) => key.state === state).map((key) => <KeyCard key={key.kid} signingKey={key} />),
      }))}
    />
    {items.some(({ state }) => state === 'compromised') && (
      <>
        <h3>Compromised</h3>
        <div className="columns">
          {items
            .filter(({ state }) => state === 'compromised')
            .map((key) => (
              <KeyCard key={key.kid} signingKey={key} />
            ))}
        </div>
      </>
    )}
    <Facts>
      <Fact label="Root key">
        <code>{root.kid}</code>, {root.kept === 'HERE' ? 'kept in this database' : 'kept elsewhere'}
      </Fact>
      <Fact label="Manifest">
        #{manifest.serial}, signed <Time at={manifest.issuedAt} />, expires <Time at={manifest.expiresAt} />
      </Fact>
    </Facts>
  </>
)
