/** What the panel reads of a repository, whichever way leads there. */

/** A repository at a branch, a tag or a commit. */
export interface GitPlace {
  /** As the provider names it, such as `ada/shop`. */
  readonly repo: string
  /** Undefined: the default branch. */
  readonly ref: string | undefined
  /** Without a slash at its ends. Empty: the root. */
  readonly path: string
}

export interface GitBranch {
  readonly name: string
  /** The id of its newest commit. */
  readonly commit: string
  readonly isDefault: boolean
}

export const GIT_ENTRY_TYPES = ['FILE', 'DIRECTORY', 'LINK', 'SUBMODULE'] as const

export interface GitEntry {
  readonly name: string
  readonly type: (typeof GIT_ENTRY_TYPES)[number]
  /** Null: the provider does not say it. */
  readonly bytes: number | null
}

export interface GitTree {
  /** At most 2,000. */
  readonly entries: readonly GitEntry[]
  /** Whether the directory has more entries. */
  readonly isCut: boolean
}

/** All of it throws a Rejection: 404 for what is not there · 409 where the provider refuses · 400 ADDRESS_REFUSED. */
export interface GitReader {
  /** At most 1,000. @param search a part of the name; empty: all */
  branches(repo: string, search: string): Promise<readonly GitBranch[]>
  /** Links are listed and never followed. */
  tree(place: GitPlace): Promise<GitTree>
  /** At most 256 KiB. @throws Rejection 409 NOT_A_FILE · FILE_TOO_LARGE */
  file(place: GitPlace): Promise<Buffer>
}

export interface GitRepository {
  readonly name: string
  readonly cloneUrl: string
  /** Null: it is empty. */
  readonly defaultBranch: string | null
  readonly private: boolean
}

export interface RepositoryPage {
  readonly items: readonly GitRepository[]
  /** Null: there are no more. */
  readonly nextPage: number | null
}

/** A provider with a REST API. */
export interface Forge extends GitReader {
  /** The name of the account that the credentials are for. */
  account(): Promise<string>
  /** @param search a part of the name; empty: all */
  repositories(search: string, page: number): Promise<RepositoryPage>
  repository(name: string): Promise<GitRepository>
  /** Has pushes delivered to that address. A webhook with the same address is changed, so that there is one. */
  putPushHook(repo: string, hook: PushHook): Promise<void>
}

export interface PushHook {
  readonly url: string
  /** What deliveries are signed with. */
  readonly secret: string
}
