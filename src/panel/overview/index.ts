import { section } from '#kernel/resource/section'
import { overviewRoutes } from './routes.ts'

export const overviewSection = section({ name: 'overview', routes: overviewRoutes })
