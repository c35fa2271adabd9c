/** Where the last uses of machine tokens are kept. */
import type { LastUses } from '#kernel/credentials/last-uses'
import { secretUses } from '#kernel/credentials/secret-uses'
import type { SecretUsesParts } from '#kernel/credentials/secret-uses'
import { tokenAddress } from '#projections/licensing/machine-tokens'

/** The address is sealed with the token's key. */
export const tokenUses = (parts: Pick<SecretUsesParts, 'pool' | 'vault' | 'onError'>): LastUses =>
  secretUses({ ...parts, table: 'machine_token_use', id: 'token_id', address: tokenAddress })
