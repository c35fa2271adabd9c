import { section } from '#kernel/resource/section'
import {
  containersAct,
  containersList,
  enginePrune,
  imagesEnsure,
  imagesList,
  imagesRemove,
  networksList,
  networksRemove,
  volumesList,
  volumesRemove,
} from '../../tasks/engine.ts'
import { askedAsk } from '../agent/asks.ts'
import { askedTask } from '../agent/kinds.ts'
import { engineChangeRoutes } from './change-routes.ts'
import { engineListRoutes } from './list-routes.ts'

export const engineSection = section({
  name: 'engine',
  routes: [...engineListRoutes, ...engineChangeRoutes],
  declares: [
    ...[containersList, imagesList, networksList, volumesList].map((kind) => askedAsk({ kind })),
    ...[containersAct, imagesRemove, networksRemove, volumesRemove, enginePrune, imagesEnsure].map((kind) =>
      askedTask({ kind }),
    ),
  ],
})
