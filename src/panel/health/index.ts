import { section } from '#kernel/resource/section'
import { healthRoutes } from './routes.ts'

export const healthSection = section({ name: 'health', routes: healthRoutes })
