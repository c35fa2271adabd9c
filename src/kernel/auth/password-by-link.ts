/** Sets a password by a one-time link: the same in every realm. */
import type { UnitOfWork } from '../commands/command-runner.ts'
import { AttemptCounter } from '../credentials/attempt-counter.ts'
import { accountShare } from '../credentials/fair-queue.ts'
import { checkNewPassword } from '../credentials/password-policy.ts'
import { hashPassword } from '../credentials/password.ts'
import { hashSecret } from '../credentials/secret-token.ts'
import type { HandlerContext } from '../http/route.ts'
import { linkHolder } from './link-attempts.ts'
import { forbiddenWordsOf } from './manage-credentials.ts'
import { actorOf } from './realm.ts'
import type { Realm, RealmAccount } from './realm.ts'
import { passwordAttempt } from './verify-credentials.ts'

type LinkHolder = Pick<RealmAccount, 'id' | 'email' | 'emailKey' | 'name' | 'totp'>

interface PasswordByLink<Holder extends LinkHolder> {
  /** Of the link. */
  readonly token: string
  readonly password: string
  /** @throws Rejection for a link that leads nowhere */
  readonly find: (linkHash: string) => Promise<Holder>
  /** Checks the link again, uses it up and ends all sessions; the second factor stays. */
  readonly decide: (unit: UnitOfWork, holder: Holder, set: SetByLink) => Promise<unknown>
}

interface SetByLink {
  readonly linkHash: string
  readonly passwordHash: string
}

/** @throws Rejection 400 for the link or the password | 429 */
export async function setPasswordByLink<Holder extends LinkHolder>(
  realm: Realm,
  call: Pick<HandlerContext, 'run' | 'telemetry' | 'ip' | 'vault'>,
  { token, password, find, decide }: PasswordByLink<Holder>,
): Promise<void> {
  const linkHash = hashSecret(token)
  // Before the costly password hash.
  const holder = await linkHolder(call, linkHash, () => find(linkHash))
  await checkNewPassword(password, { withTotp: holder.totp !== undefined, forbidden: forbiddenWordsOf(holder) })
  const passwordHash = await hashPassword(password, accountShare(holder.id))
  await call.run((unit) => decide(unit, holder, { linkHash, passwordHash }), actorOf(realm, holder.id))
  // Other clients that know the address may have caused a lock before the owner chose this password.
  await new AttemptCounter(call.telemetry).reset(passwordAttempt(realm, holder))
}
