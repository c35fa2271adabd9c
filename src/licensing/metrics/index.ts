import { section } from '#kernel/resource/section'
import { dailyFigureTable } from '#projections/licensing/metrics'
import { metricRoutes } from './routes.ts'
import { seriesRoutes } from './series/routes.ts'

export const metricsSection = section({
  name: 'metrics',
  readModels: [dailyFigureTable],
  routes: [...metricRoutes, ...seriesRoutes],
})
