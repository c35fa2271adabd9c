import { healthRoute } from '#kernel/resource/health-route'
import { section } from '#kernel/resource/section'
import { staff } from '../access/access.ts'

export const healthSection = section({
  name: 'health',
  routes: [healthRoute('GET /api/admin/health', { access: staff('settings:view'), command: 'daybook projections' })],
})
