import type { Route } from '#kernel/http/route'
import { section } from '#kernel/resource/section'
import { permissionRoutes } from './routes.ts'

export const permissionsSection = (allRoutes: () => readonly Route[]) =>
  section({
    name: 'permissions',
    routes: permissionRoutes(allRoutes),
  })
