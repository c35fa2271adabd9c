/** Whether a push deploys an application. */
import type { Application } from '../decider.ts'

export type GitSource = Extract<Application['source'], { kind: 'GIT' }>

/** Null: it does not come from a repository. */
export const gitSourceOf = ({ source }: Pick<Application, 'source'>): GitSource | null =>
  source.kind === 'GIT' ? source : null

/** The branch whose pushes deploy the application. Null: none does. */
export const watchedBranchOf = (application: Pick<Application, 'source' | 'autoDeploy'>): string | null =>
  application.autoDeploy ? (gitSourceOf(application)?.branch ?? null) : null
