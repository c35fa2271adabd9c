/** The release of the panel that runs in this process. */
import { serviceKey } from '#kernel/lib/services'
import packageJson from '../../../package.json' with { type: 'json' }

export interface RunningRelease {
  readonly version: string
  /** SHA-256 in hex of the release's file that it was installed from. Null: the operator has not told it. */
  readonly sha256: string | null
}

export const runningRelease = serviceKey<RunningRelease>('running release', {
  version: packageJson.version,
  sha256: null,
})
