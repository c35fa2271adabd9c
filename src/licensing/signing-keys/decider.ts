import { decider } from '#kernel/decider'
import type { DataOf } from '#kernel/event'
import { SigningKeyCreated, signingKeyEvents } from './events.ts'

type Created = DataOf<typeof SigningKeyCreated>

export interface SigningKey extends Pick<Created, 'kid' | 'publicJwk' | 'state'> {
  readonly privateJwk: Created['publicJwk'] & { readonly d: string }
}

export const signingKeys = decider(signingKeyEvents, {
  initial: [] as readonly SigningKey[],
  evolve: {
    SigningKeyCreated: (keys, { kid, publicJwk, privateKey, state }) => [
      ...keys,
      { kid, publicJwk, privateJwk: { ...publicJwk, d: privateKey }, state },
    ],
  },
  commands: {
    /** Two processes that start at once bring a key each; the second finds a current one and keeps that. */
    CreateFirstKey: (keys, ask: Omit<Created, 'state'>) =>
      currentKey(keys) ? [] : [SigningKeyCreated({ ...ask, state: 'current' })],
  },
})

export const currentKey = (keys: readonly SigningKey[]): SigningKey | undefined =>
  keys.find(({ state }) => state === 'current')
