import { bans, roles } from '#api-client/licensing/declared'
import { postAdminMachineTokens } from '#api-client/licensing/machine-tokens'
import { Action } from '../../kit/action.tsx'
import { PermissionChoice } from '../../kit/permissions.tsx'
import type { Secret } from '../../kit/reveal.tsx'

const BANNED: readonly string[] = bans.token
const GRANTABLE = [...new Set(Object.values(roles.staff).flat())].filter((permission) => !BANNED.includes(permission))

interface Minted {
  readonly token: { readonly name: string }
  readonly secret: string
}

/** Both a new token and a rotated one answer with a secret. */
export const secretOf = ({ token, secret }: Minted): readonly Secret[] => [
  { label: `Token ${token.name}`, text: secret, file: 'daybook-token.txt' },
]

export const MintToken = () => (
  <Action
    operation={postAdminMachineTokens}
    label="Mint a token"
    tone="main"
    about={<p>The token is shown once. A leaked token has its permissions until it expires or is revoked.</p>}
    order={['name', 'permissions', 'allowedIps', 'expiresAt']}
    labels={{ allowedIps: 'Allowed addresses', expiresAt: 'Expires' }}
    inputs={{
      permissions: (value, change) => (
        <PermissionChoice
          legend="Permissions"
          of={GRANTABLE}
          value={(value ?? []) as readonly string[]}
          onChange={change}
        />
      ),
    }}
    submit="Mint"
    secrets={secretOf}
  />
)
