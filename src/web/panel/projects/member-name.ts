interface Person {
  readonly name: string | null
  readonly email: string | null
}

/** An account that was erased has neither. */
export const personName = ({ name, email }: Person): string => name ?? email ?? 'an erased account'
