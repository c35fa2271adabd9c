import type { DataOf } from '#api-client/operation'
import type { ItemOf } from '#api-client/paging'
import { deleteAdminApiKeysById, postAdminApiKeysByIdRevoke } from '#api-client/panel/api-keys'
import type { getAdminApiKeys } from '#api-client/panel/api-keys'
import { Action } from '../../kit/action.tsx'
import { State, Value } from '../../kit/controls.tsx'
import type { Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'

type ApiKey = ItemOf<DataOf<typeof getAdminApiKeys>>

export const KEY_COLUMNS: readonly Column<ApiKey>[] = [
  { label: 'Key', of: ({ name, prefix }) => `${name} (${prefix}…)` },
  { label: 'State', of: ({ status }) => <State of={status} /> },
  { label: 'Scopes', of: ({ scopes }) => <Value of={scopes} /> },
  { label: 'Last used', of: ({ lastUsedAt }) => <Time at={lastUsedAt} absent="never" /> },
  { label: 'Ends', of: ({ expiresAt }) => <Time at={expiresAt} absent="never" /> },
  {
    label: 'Actions',
    of: (key) => (
      <>
        <Action
          operation={postAdminApiKeysByIdRevoke}
          input={{ params: { id: key.id } }}
          label="Revoke"
          title={`Revoke ${key.name}`}
          tone="quiet"
          about={<p>The key is refused from the next request on.</p>}
          record={key}
          done="The key is revoked"
        />
        <Action
          operation={deleteAdminApiKeysById}
          input={{ params: { id: key.id } }}
          label="Delete"
          title={`Delete ${key.name}`}
          tone="quiet"
          done="The key is deleted"
        />
      </>
    ),
  },
]
