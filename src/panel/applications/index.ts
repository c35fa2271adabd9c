import { section } from '#kernel/resource/section'
import { applicationTable } from '#projections/panel/applications'
import { previewTable } from '#projections/panel/applications/previews'
import { applicationsStats } from '../../tasks/applications.ts'
import { applicationViewers, deploymentViewers, noAccount, variableViewers } from '../access/audiences.ts'
import { askedAsk, askedFollow } from '../agent/asks.ts'
import { askedTask } from '../agent/kinds.ts'
import { askedVolumeCopy } from '../workflows/copy-data.ts'
import { proxyFollowsAddresses, proxyFollowsDomain } from './addresses/reactions.ts'
import { addressRoutes } from './addresses/routes.ts'
import { applications } from './decider.ts'
import { applicationDeploymentRoutes } from './deployments/routes.ts'
import { duplicateRoutes } from './duplicate/routes.ts'
import { applicationEnv } from './env/decider.ts'
import { applicationEnvRoutes } from './env/routes.ts'
import { applicationExecRoutes } from './exec/routes.ts'
import { askedExec } from './exec/run-command.ts'
import { applicationFileRoutes } from './files/routes.ts'
import { askedLogsFollow, askedLogsTail } from './logs/hidden.ts'
import { applicationLogRoutes } from './logs/routes.ts'
import { previewDomains } from './preview-domains/decider.ts'
import { previews } from './previews/decider.ts'
import { endIdlePreviews, previewsFollow } from './previews/reactions.ts'
import { applicationPreviewRoutes } from './previews/routes.ts'
import { eraseApplicationKeys, forgetOldDeliveries } from './reactions.ts'
import { applicationReleases } from './release/decider.ts'
import { applicationRepositoryRoutes } from './repository/routes.ts'
import { applicationRoster } from './roster/decider.ts'
import { wholeApplicationRoutes } from './routes.ts'
import { applicationScaleRoutes } from './scale/routes.ts'
import { applicationStatsRoutes } from './stats-routes.ts'
import { transferProjectRoutes } from './transfer/routes.ts'
import { applicationWebhookRoutes } from './webhook/routes.ts'

export const applicationsSection = section({
  name: 'applications',
  deciders: [applications, applicationEnv, applicationRoster, applicationReleases, previews, previewDomains],
  visibleTo: {
    application: applicationViewers,
    applicationEnv: variableViewers,
    applicationRoster: noAccount,
    applicationRelease: deploymentViewers,
    previews: applicationViewers,
    previewDomains: noAccount,
  },
  readModels: [applicationTable, previewTable],
  routes: [
    ...wholeApplicationRoutes,
    ...applicationEnvRoutes,
    ...applicationLogRoutes,
    ...applicationExecRoutes,
    ...applicationStatsRoutes,
    ...addressRoutes,
    ...applicationDeploymentRoutes,
    ...applicationFileRoutes,
    ...applicationRepositoryRoutes,
    ...applicationWebhookRoutes,
    ...applicationPreviewRoutes,
    ...applicationScaleRoutes,
    ...duplicateRoutes,
    ...transferProjectRoutes,
  ],
  reactions: [eraseApplicationKeys, proxyFollowsAddresses, proxyFollowsDomain, previewsFollow],
  timers: [forgetOldDeliveries, endIdlePreviews],
  declares: [
    askedAsk(askedLogsTail),
    askedAsk({ kind: applicationsStats }),
    askedFollow(askedLogsFollow),
    askedTask(askedExec),
    askedTask(askedVolumeCopy),
  ],
})
