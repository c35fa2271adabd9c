import { section } from '#kernel/resource/section'
import { capacityRoutes } from './routes.ts'

export const capacitySection = section({ name: 'capacity', routes: capacityRoutes })
