import { section } from '#kernel/resource/section'
import { eventRoutes } from './routes.ts'

export const eventsSection = section({ name: 'events', routes: eventRoutes })
