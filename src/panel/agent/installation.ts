import type { Vault } from '#kernel/vault/vault'

/** Tells this panel's objects from those of another panel on the same engine. Derived, so that it is stored nowhere. */
export const installationOf = (vault: Vault): Promise<string> => vault.hmac('installation', 'objects on hosts')
