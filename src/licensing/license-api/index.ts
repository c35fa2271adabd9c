import { section } from '#kernel/resource/section'
import { licenseEndTable, revocationTable } from '#projections/licensing/license-api'
import { leaseTermTable, licenseKeyTable } from '#projections/licensing/license-api/keys'
import { activationRoutes } from './activations/routes.ts'
import { heartbeatRoutes } from './heartbeats/routes.ts'
import { licenseApiRoutes } from './routes.ts'
import { entitledVersionRoutes } from './versions/routes.ts'

export const licenseApiSection = section({
  name: 'license-api',
  readModels: [revocationTable, licenseEndTable, licenseKeyTable, leaseTermTable],
  routes: [...licenseApiRoutes, ...activationRoutes, ...heartbeatRoutes, ...entitledVersionRoutes],
})
