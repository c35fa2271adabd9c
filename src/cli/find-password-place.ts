import { verifyPassword } from '../kernel/credentials/password.ts'

export interface PasswordPlace {
  /** A description of the place. */
  readonly place: string
  readonly password: string | undefined
}

/** @returns the place that contains the account's current password, or `otherwise` if none does */
export async function findPasswordPlace(
  passwordHash: string,
  all: readonly PasswordPlace[],
  otherwise: string,
): Promise<string> {
  for (const { place, password } of all)
    if (password !== undefined && (await verifyPassword(passwordHash, password))) return place
  return otherwise
}
