import { section } from '#kernel/resource/section'
import { exportEvents } from './events.ts'
import { exportRoutes } from './routes.ts'

export const exportsSection = section({ name: 'exports', streams: [exportEvents], routes: exportRoutes })
