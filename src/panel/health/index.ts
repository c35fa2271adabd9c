import { healthRoute } from '#kernel/resource/health-route'
import { section } from '#kernel/resource/section'
import { platform } from '../access/access.ts'

export const healthSection = section({
  name: 'health',
  routes: [
    healthRoute('GET /api/admin/health', { access: platform('system:view'), command: 'daybook panel projections' }),
  ],
})
