/** Authenticates deliveries to applications. The caller is the application itself, not the account that has set the webhook up. */
import { ANONYMOUS_ACTOR } from '#kernel/auth/realm'
import type { CommandRunner } from '#kernel/commands/command-runner'
import type { AuthenticationScheme } from '#kernel/http/gate'
import type { Caller } from '#kernel/http/route'
import { deliveryAuthentication, WEBHOOK } from '#kernel/http/signed-delivery'
import { uuid } from '#kernel/lib/uuid'
import { newWebhookSecret } from '#kernel/outbound/standard-webhooks'
import { applications } from '../decider.ts'
import { acceptedSecrets } from './rules.ts'
import { deliveryIdOf, senderOf } from './signatures.ts'
import type { DeliverySender } from './signatures.ts'

export interface DeliveryCaller extends Caller {
  readonly kind: typeof WEBHOOK
  readonly applicationId: string
  readonly sender: DeliverySender
  /** Null: it has none. */
  readonly deliveryId: string | null
}

const PATH = /^\/api\/webhooks\/applications\/([^/?]+)$/
const NO_APPLICATION = '00000000-0000-0000-0000-000000000000'
/** Checked for what does not exist. It is random, and never shown. */
const DUMMY = { secret: newWebhookSecret(), former: null }

const context = { actor: ANONYMOUS_ACTOR, requestId: 'webhook' }

export const applicationDeliveries = ({ commands }: { readonly commands: CommandRunner }): AuthenticationScheme =>
  deliveryAuthentication(async ({ target, header, body, now }): Promise<DeliveryCaller | undefined> => {
    const applicationId = uuid.safeParse(PATH.exec(target)?.[1]).data ?? NO_APPLICATION
    const application = await commands.run(context, (unit) => unit.look(applications, applicationId))
    const sender = senderOf({ header, body, now }, acceptedSecrets(application?.webhook ?? DUMMY, now))
    if (!application?.webhook || sender === undefined) return undefined
    return {
      kind: WEBHOOK,
      actor: { type: 'APPLICATION', id: applicationId },
      can: () => false,
      forbiddenMessage: 'This endpoint is not available to webhooks.',
      applicationId,
      sender,
      deliveryId: deliveryIdOf(sender, header),
    }
  })

/** The caller of a route that is open to webhooks alone. */
export function deliveryCallerOf(caller: Caller): DeliveryCaller {
  if (caller.kind !== WEBHOOK) throw new Error(`Expected a webhook, got a ${caller.kind} caller`)
  return caller as DeliveryCaller
}
