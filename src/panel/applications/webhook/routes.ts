import { z } from 'zod'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { bySignature, deliveryBody } from '#kernel/http/signed-delivery'
import { found } from '#kernel/lib/rejection'
import { newWebhookSecret } from '#kernel/outbound/standard-webhooks'
import { inApplication } from '../../access/application-access.ts'
import { changeApplication } from '../../access/application-routes.ts'
import { configuration, effectivePanelUrl } from '../../config/effective-config.ts'
import { applications } from '../decider.ts'
import { OUTCOMES, recentDeliveries, SHOWN_OUTCOMES } from './deliveries.ts'
import { installWebhook } from './install.ts'
import { receiveDelivery } from './receive.ts'

const GRACE_SECONDS_MAX = 86_400

const url = z.string()
const Delivery = z.object({ at: z.iso.datetime(), event: z.string(), outcome: z.enum(SHOWN_OUTCOMES), status: z.int() })
const Webhook = z.object({ url, secret: z.string().nullable(), deliveries: z.array(Delivery) })

/** Where providers deliver to. */
async function addressOf({ service }: Pick<HandlerContext, 'service'>, applicationId: string): Promise<string> {
  const { environment, decided } = service(configuration)
  return `${effectivePanelUrl(environment, await decided())}/api/webhooks/applications/${applicationId}`
}

const manage = inApplication('apps:create')

export const applicationWebhookRoutes = [
  route('GET /api/applications/:id/webhook', {
    does: 'Get the address and the secret of the webhook, and what was delivered to it in the last 24 hours, newest first.',
    access: inApplication('apps:deploy'),
    reply: Webhook,
    async handle(call) {
      const { run, params, telemetry, now } = call
      const { webhook } = found(await run((unit) => unit.look(applications, params.id)))
      const deliveries = await recentDeliveries(telemetry, params.id, now)
      return { url: await addressOf(call, params.id), secret: webhook?.secret ?? null, deliveries }
    },
  }),

  changeApplication('POST /api/applications/:id/webhook/rotate', manage, {
    does: 'Create a new secret of the webhook. The one before is accepted for graceSeconds; an installed webhook needs the new one.',
    body: z.strictObject({ graceSeconds: z.int().min(0).max(GRACE_SECONDS_MAX).default(0) }),
    reply: z.object({ secret: z.string(), formerUntil: z.iso.datetime().nullable() }),
    shownOnce: ['secret'],
    async decide({ unit, application: { id }, body }) {
      const secret = newWebhookSecret()
      await unit.decide(applications, id, 'RotateWebhookSecret', { secret, ...body })
      const { webhook } = found(await unit.load(applications, id))
      return { secret, formerUntil: webhook?.former?.until ?? null }
    },
  }),

  route('POST /api/applications/:id/webhook/install', {
    does: 'Install the webhook at the git provider of the application, or give it the present secret, and deploy pushes from then on.',
    access: manage,
    refuses: [409],
    status: 201,
    reply: z.object({ url, gitProviderId: z.uuid(), repository: z.string() }),
    async handle(call) {
      const address = await addressOf(call, call.params.id)
      return { url: address, ...(await installWebhook(call, address)) }
    },
  }),

  route('POST /api/webhooks/applications/:id', {
    does: 'Receive a signed delivery of a git provider. A push to the branch of the application asks for a deployment.',
    access: bySignature,
    refuses: [409, 429],
    status: 202,
    body: deliveryBody,
    reply: z.object({ outcome: z.enum(OUTCOMES) }),
    handle: async (call) => ({ outcome: await receiveDelivery(call) }),
  }),
]
