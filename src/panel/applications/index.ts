import { section } from '#kernel/resource/section'
import { applicationTable } from '#projections/panel/applications'
import { applicationViewers, noAccount, variableViewers } from '../access/audiences.ts'
import { applications } from './decider.ts'
import { applicationEnv } from './env/decider.ts'
import { applicationEnvRoutes } from './env/routes.ts'
import { applicationFileRoutes } from './files/routes.ts'
import { eraseApplicationKeys } from './reactions.ts'
import { applicationRepositoryRoutes } from './repository/routes.ts'
import { applicationRoster } from './roster/decider.ts'
import { wholeApplicationRoutes } from './routes.ts'

export const applicationsSection = section({
  name: 'applications',
  deciders: [applications, applicationEnv, applicationRoster],
  visibleTo: { application: applicationViewers, applicationEnv: variableViewers, applicationRoster: noAccount },
  readModels: [applicationTable],
  routes: [
    ...wholeApplicationRoutes,
    ...applicationEnvRoutes,
    ...applicationFileRoutes,
    ...applicationRepositoryRoutes,
  ],
  reactions: [eraseApplicationKeys],
})
