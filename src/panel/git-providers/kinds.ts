/** What each kind of provider needs to be connected, and where it is unless a request says it. */
import type { GitKind } from './events.ts'

interface KindNeeds {
  /** Null: a request names it. */
  readonly baseUrl: string | null
  /** Whether it has an API, which checks credentials and lists repositories. */
  readonly hasApi: boolean
  readonly way: 'TOKEN' | 'KEY'
  /** Whether people can also sign in there by a device flow. */
  readonly hasDeviceFlow?: true
  /** The fields of a request beside name and token, and those of them that it must have. */
  readonly takes: readonly ('baseUrl' | 'account' | 'username')[]
  readonly needs: readonly ('baseUrl' | 'account')[]
}

export const KINDS: Readonly<Record<GitKind, KindNeeds>> = {
  GITHUB: {
    baseUrl: 'https://github.com',
    hasApi: true,
    way: 'TOKEN',
    hasDeviceFlow: true,
    takes: ['baseUrl'],
    needs: [],
  },
  GITLAB: { baseUrl: 'https://gitlab.com', hasApi: true, way: 'TOKEN', takes: ['baseUrl'], needs: [] },
  GITEA: { baseUrl: null, hasApi: true, way: 'TOKEN', takes: ['baseUrl'], needs: ['baseUrl'] },
  BITBUCKET: {
    baseUrl: 'https://bitbucket.org',
    hasApi: true,
    way: 'TOKEN',
    takes: ['account', 'username'],
    needs: ['account'],
  },
  GENERIC: { baseUrl: null, hasApi: false, way: 'TOKEN', takes: ['baseUrl', 'username'], needs: ['baseUrl'] },
  SSH: { baseUrl: null, hasApi: false, way: 'KEY', takes: ['baseUrl'], needs: ['baseUrl'] },
}
