import { section } from '#kernel/resource/section'
import { inventory, reaperReap } from '../../tasks/reaper.ts'
import { holdersOf } from '../access/audiences.ts'
import { askedAsk } from '../agent/asks.ts'
import { askedTask } from '../agent/kinds.ts'
import { reaps } from './decider.ts'
import { reaperRoutes } from './routes.ts'

export const reaperSection = section({
  name: 'reaper',
  deciders: [reaps],
  visibleTo: { reap: holdersOf('servers:view') },
  routes: reaperRoutes,
  declares: [askedAsk({ kind: inventory }), askedTask({ kind: reaperReap })],
})
