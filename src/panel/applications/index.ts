import { section } from '#kernel/resource/section'
import { applicationTable } from '#projections/panel/applications'
import { applicationsStats } from '../../tasks/applications.ts'
import { applicationViewers, noAccount, variableViewers } from '../access/audiences.ts'
import { askedAsk, askedFollow } from '../agent/asks.ts'
import { askedTask } from '../agent/kinds.ts'
import { applications } from './decider.ts'
import { applicationEnv } from './env/decider.ts'
import { applicationEnvRoutes } from './env/routes.ts'
import { applicationExecRoutes } from './exec/routes.ts'
import { askedExec } from './exec/run-command.ts'
import { askedLogsFollow, askedLogsTail } from './logs/hidden.ts'
import { applicationLogRoutes } from './logs/routes.ts'
import { eraseApplicationKeys } from './reactions.ts'
import { applicationRoster } from './roster/decider.ts'
import { wholeApplicationRoutes } from './routes.ts'
import { applicationStatsRoutes } from './stats-routes.ts'

export const applicationsSection = section({
  name: 'applications',
  deciders: [applications, applicationEnv, applicationRoster],
  visibleTo: { application: applicationViewers, applicationEnv: variableViewers, applicationRoster: noAccount },
  readModels: [applicationTable],
  routes: [
    ...wholeApplicationRoutes,
    ...applicationEnvRoutes,
    ...applicationLogRoutes,
    ...applicationExecRoutes,
    ...applicationStatsRoutes,
  ],
  reactions: [eraseApplicationKeys],
  declares: [
    askedAsk(askedLogsTail),
    askedAsk({ kind: applicationsStats }),
    askedFollow(askedLogsFollow),
    askedTask(askedExec),
  ],
})
