import { z } from 'zod'
import { route } from '#kernel/http/route'
import { nameSchema } from '#kernel/lib/display-text'
import { uuid } from '#kernel/lib/uuid'
import { countRows } from '#kernel/projections/count-rows'
import { gitProviderTable } from '#projections/panel/git-providers'
import { settingOf } from '#projections/panel/settings'
import { session } from '../../access/access.ts'
import { userCallerOf } from '../../access/user-caller.ts'
import { KINDS } from '../kinds.ts'
import { pollFlow, startFlow } from './device.ts'
import { FLOW_ENDS } from './events.ts'
import { isShareWhole, SHARE_WHOLE, sharedFields } from './input.ts'

const FlowStart = z
  .strictObject({ name: nameSchema(100).default('GitHub'), ...sharedFields })
  .refine(isShareWhole, SHARE_WHOLE)
  .default({ name: 'GitHub' })

const FlowState = z.object({
  state: z.enum(['PENDING', ...FLOW_ENDS]),
  intervalSeconds: z.int().nullable().describe('How long to wait before the next poll. Null: the flow has ended.'),
  gitProviderId: z.uuid().nullable().describe('The provider that it has connected.'),
})

export const gitFlowRoutes = [
  route('POST /api/git-providers/oauth/hosted-git/device/start', {
    does: 'Begin to sign in at GitHub: enter the code there, and poll meanwhile. A code is valid for minutes.',
    access: session,
    refuses: [403, 404, 409, 429],
    body: FlowStart,
    reply: z.object({
      flowId: z.uuid(),
      userCode: z.string().describe('What you enter at GitHub.'),
      verificationUri: z.string().describe('Where you enter it.'),
      intervalSeconds: z.int().describe('How long to wait before each poll.'),
    }),
    handle: (call) => startFlow(call, call.body),
  }),

  route('POST /api/git-providers/oauth/hosted-git/device/poll', {
    does: 'Ask whether the code was entered at GitHub. If it was, the provider is connected.',
    access: session,
    refuses: [404, 409, 429],
    body: z.strictObject({ flowId: uuid }),
    reply: FlowState,
    async handle(call) {
      const state = await pollFlow(call, call.body.flowId)
      return { intervalSeconds: null, gitProviderId: null, ...state }
    },
  }),

  route('GET /api/git-providers/oauth/hosted-git/status', {
    does: 'Get whether you can sign in at GitHub from here, and whether you have connected it.',
    access: session,
    reply: z.object({
      configured: z.boolean().describe('Whether an administrator has set `gitHubClientId`.'),
      connected: z.boolean().describe('Whether you have a provider at github.com.'),
    }),
    async handle({ read, caller }) {
      const own = gitProviderTable.queryIn(read).selectAll().where('ownerId', '=', userCallerOf(caller).userId)
      const there = own.where('kind', '=', 'GITHUB').where('baseUrl', '=', KINDS.GITHUB.baseUrl!)
      return {
        configured: (await settingOf(read, 'gitHubClientId')) !== '',
        connected: (await countRows(there)) > 0,
      }
    },
  }),
]
