/** Storage of the last uses of machine tokens. */
import type { LastUseRecorder } from '#kernel/credentials/last-uses'
import { secretUseRecorder } from '#kernel/credentials/secret-uses'
import type { SecretUseRecorderDependencies } from '#kernel/credentials/secret-uses'
import { tokenAddress } from '#projections/licensing/machine-tokens'

/** The address is sealed with the token's data key. */
export const tokenUses = (parts: Pick<SecretUseRecorderDependencies, 'pool' | 'vault' | 'onError'>): LastUseRecorder =>
  secretUseRecorder({ ...parts, table: 'machine_token_use', id: 'token_id', address: tokenAddress })
