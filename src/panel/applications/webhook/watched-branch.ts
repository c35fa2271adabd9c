/** In its own file so that tests can replace it. */

interface GitSource {
  readonly kind: 'GIT'
  /** Null: the repository is public. */
  readonly providerId: string | null
  readonly url: string
  readonly branch: string
}

/** What of an application decides whether a push deploys it. */
interface Deployed {
  readonly source: { readonly kind: string } | GitSource
  readonly autoDeploy?: boolean
}

/** Null: it does not come from a repository. */
export const gitSourceOf = ({ source }: Deployed): GitSource | null =>
  source.kind === 'GIT' ? (source as GitSource) : null

/** The branch whose pushes deploy the application. Null: none does. */
export const watchedBranchOf = (application: Deployed): string | null =>
  application.autoDeploy === true ? (gitSourceOf(application)?.branch ?? null) : null
