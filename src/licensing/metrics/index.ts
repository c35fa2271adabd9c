import { section } from '#kernel/resource/section'
import { metricRoutes } from './routes.ts'

export const metricsSection = section({ name: 'metrics', routes: metricRoutes })
