import { z } from 'zod'
import { SEE_OTHER } from '#kernel/http/root-page'
import { answer, everyone, route } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { session } from '../../access/access.ts'
import { userCallerOf } from '../../access/user-caller.ts'
import { gitFlows, knownEnd } from './decider.ts'
import { FLOW_ENDS } from './events.ts'
import { CallbackQuery, SelfHostedStart } from './input.ts'
import { finishSignIn, startSignIn } from './self-hosted.ts'

/** The page that shows how it went, by a word. */
const PAGE = '/git-providers?sign-in='

export const selfHostedGitRoutes = [
  route('POST /api/git-providers/oauth/selfhosted-git/start', {
    does: 'Begin to sign in at a GitLab or Gitea of your own, with an OAuth application there. Open the URL in this browser.',
    access: session,
    refuses: [403, 404, 409, 429],
    body: SelfHostedStart,
    reply: z.object({
      flowId: z.uuid(),
      authorizationUrl: z.string().describe('Where the provider asks whether the panel may read your repositories.'),
    }),
    shownOnce: ['authorizationUrl'],
    async handle(call) {
      const { browserCookie, ...begun } = await startSignIn(call)
      return answer(begun, undefined, { 'Set-Cookie': browserCookie })
    },
  }),

  route('GET /api/git-providers/oauth/selfhosted-git/status', {
    does: 'Get how a sign-in of yours stands. A browser has 10 minutes to come back from the provider.',
    access: session,
    refuses: [404],
    query: z.strictObject({ flowId: uuid }),
    reply: z.object({
      state: z.enum(['PENDING', ...FLOW_ENDS]),
      gitProviderId: z.uuid().nullable().describe('The provider that it has connected.'),
    }),
    async handle({ run, caller, query, now }) {
      const flow = found(await run((unit) => unit.look(gitFlows, query.flowId)))
      if (flow.ownerId !== userCallerOf(caller).userId) return found<never>(undefined)
      const end = knownEnd(flow, now)
      return { state: end?.outcome ?? ('PENDING' as const), gitProviderId: end?.gitProviderId ?? null }
    },
  }),

  route('GET /api/git-providers/oauth/selfhosted-git/callback', {
    does: 'Where the provider sends the browser back to. It leads to the pages, with one word for every failure but another account.',
    access: everyone,
    refuses: [429],
    query: CallbackQuery,
    status: SEE_OTHER,
    async handle(call) {
      const { word, panelUrl, expiredCookie } = await finishSignIn(call)
      const to = `${panelUrl}${PAGE}${word}`
      return answer(undefined, SEE_OTHER, { Location: to, 'Set-Cookie': expiredCookie })
    },
  }),
]
