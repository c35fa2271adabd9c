import { section } from '#kernel/resource/section'
import {
  containersAct,
  containersList,
  enginePrune,
  imagesList,
  imagesRemove,
  networksList,
  networksRemove,
  volumesList,
  volumesRemove,
} from '../../tasks/engine.ts'
import { askedAsk } from '../agent/asks.ts'
import { askedTask } from '../agent/kinds.ts'
import { askedImage } from '../workflows/ensure-image.ts'
import { engineChangeRoutes } from './change-routes.ts'
import { engineListRoutes } from './list-routes.ts'

export const engineSection = section({
  name: 'engine',
  routes: [...engineListRoutes, ...engineChangeRoutes],
  declares: [
    ...[containersList, imagesList, networksList, volumesList].map((kind) => askedAsk({ kind })),
    ...[containersAct, imagesRemove, networksRemove, volumesRemove, enginePrune].map((kind) => askedTask({ kind })),
    askedTask(askedImage),
  ],
})
