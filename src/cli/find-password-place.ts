import { verifyPassword } from '../kernel/credentials/password.ts'

export interface PasswordPlace {
  /** In words. */
  readonly place: string
  readonly password: string | undefined
}

/** @returns where the password of an account still is, or `otherwise` when it is none of these */
export async function findPasswordPlace(
  passwordHash: string,
  all: readonly PasswordPlace[],
  otherwise: string,
): Promise<string> {
  for (const { place, password } of all)
    if (password !== undefined && (await verifyPassword(passwordHash, password))) return place
  return otherwise
}
