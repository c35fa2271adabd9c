/** What an answer to a change on a host tells the person. */

interface Outcome {
  readonly state: string
  readonly error: { readonly message: string } | null
}

/** For an action. @param done in a sentence without its full stop */
export const outcomeOf = (done: string) => ({
  failure: ({ state, error }: Outcome): string | undefined =>
    state === 'FAILED' ? (error?.message ?? 'The host could not do it') : undefined,
  done: ({ state }: Outcome): string => (state === 'SUCCEEDED' ? done : 'Asked for: the host will do it when it can'),
})
