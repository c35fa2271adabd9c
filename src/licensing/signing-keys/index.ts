import { section } from '#kernel/resource/section'
import { holdersOf } from '../access/audiences.ts'
import { signingKeys } from './decider.ts'
import { signingKeyEvents } from './events.ts'
import { resignLicenses, tendSigningKeys } from './reactions.ts'

export const signingKeysSection = section({
  name: 'signing-keys',
  streams: [signingKeyEvents],
  visibleTo: { signingKeys: holdersOf('settings:view') },
  deciders: [signingKeys],
  reactions: [resignLicenses],
  timers: [tendSigningKeys],
})
