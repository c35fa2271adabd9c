import { section } from '#kernel/resource/section'
import { searchRoutes } from './routes.ts'

export const searchSection = section({ name: 'search', routes: searchRoutes })
