/**
 * The two services of the package, as the shared commands see them. A process of one does not load the
 * other.
 */
import type { Logger } from 'pino'
import type { Core } from '../composition/core.ts'
import * as licensing from '../composition/licensing.ts'
import { dataDirectory, evaluationConfig, productionConfig } from '../config/licensing.ts'
import type { EvaluationSecrets } from '../evaluation/secrets-file.ts'
import type { Route } from '../kernel/http/route.ts'
import type { Reaction } from '../kernel/jobs/reaction.ts'
import type { Timer } from '../kernel/jobs/timer.ts'
import type { ReadModel } from '../kernel/projections/read-model.ts'
import { signingKeys } from '../licensing/signing-keys/decider.ts'
import type { KeyRing } from '../licensing/signing-keys/decider.ts'
import type { InstallationConfig, Installation } from './installation.ts'
import { LICENSING_LOGINS } from './logins.ts'
import type { LoginNames } from './logins.ts'
import { mailFolderIn, settingsOf } from './settings.ts'

const MANIFEST_LEFT_MS_MIN = 30 * 86_400_000

type OpenableInstallation = Pick<Installation, 'config' | 'open'>

export interface ServiceProfile extends LoginNames {
  readonly name: 'licensing' | 'panel'
  /** The program name before a command's own name. */
  readonly commandPrefix: 'daybook' | 'daybook panel'
  readonly readModels: readonly ReadModel[]
  readonly reactions: readonly Reaction[]
  readonly timers: readonly Timer[]
  readonly routes: readonly Route[]
  readonly secretVariable: 'DAYBOOK_SECRET_KEY' | 'PANEL_SECRET_KEY'
  /** For doctor: how to unlock an account after too many wrong passwords or codes. */
  readonly unlockAdvice: string
  /**
   * For doctor: describes the keys or license that the secret key protects.
   * @throws Error with the problem and its solution
   */
  describeKeys(core: Core): Promise<string>
  production(env: NodeJS.ProcessEnv): OpenableInstallation
  evaluation(env: NodeJS.ProcessEnv, secrets: EvaluationSecrets, databaseUrl: string): OpenableInstallation
}

/** An installation from one configuration. */
export const openable = <Config extends InstallationConfig>(
  config: Config,
  openWith: (config: Config, log: Logger) => Promise<Core>,
): OpenableInstallation => ({ config, open: (log) => openWith(config, log) })

export const LICENSING_PROFILE: ServiceProfile = {
  name: 'licensing',
  commandPrefix: 'daybook',
  ...declarationsOf(licensing),
  ...LICENSING_LOGINS,
  secretVariable: 'DAYBOOK_SECRET_KEY',
  unlockAdvice:
    '"daybook staff reset-password EMAIL" unlocks a staff account; a customer can request a mailed link for a new password',
  describeKeys: describeSigningKeys,
  production: (env) => openable(productionConfig(env), (config, log) => licensing.openCore(settingsOf(config), log)),
  evaluation: (env, secrets, databaseUrl) =>
    openable({ ...evaluationConfig(env, secrets), databaseUrl }, (config, log) =>
      licensing.openCore(settingsOf(config, mailFolderIn(dataDirectory(env))), log),
    ),
}

export function declarationsOf({
  readModels,
  reactions,
  timers,
  routes,
}: Pick<ServiceProfile, 'readModels' | 'reactions' | 'timers' | 'routes'>) {
  return { readModels, reactions, timers, routes }
}

/** @throws Error if panels will soon reject new licenses */
function describeRootKey({ root, manifest }: KeyRing, now: Date): string {
  if (!root || !manifest) return 'the root key is created at the next start'
  if (root.privateJwk) return 'root key stored in this database'
  if (Date.parse(manifest.expiresAt) - now.getTime() < MANIFEST_LEFT_MS_MIN)
    throw new Error(
      `the manifest of the signing keys expires at ${manifest.expiresAt}: sign a new one with the root key ("daybook root-key request")`,
    )
  return `root key kept offline, manifest valid until ${manifest.expiresAt}`
}

async function describeSigningKeys({ commands, clock }: Core): Promise<string> {
  const context = { actor: { type: 'SYSTEM', id: 'doctor' }, requestId: 'doctor' }
  const ring = await commands.run(context, (unit) => unit.look(signingKeys))
  if (ring.keys.length === 0) return 'the first signing key is created at the first start'
  return `${ring.keys.length} signing key${ring.keys.length === 1 ? '' : 's'}, ${describeRootKey(ring, clock.now())}`
}
