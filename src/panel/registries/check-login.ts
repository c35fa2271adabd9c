/** A login at a registry, to tell whether it works. */
import { enforceLimit, forgetIdleAttempts } from '#kernel/auth/caller-limits'
import type { CallerLimit } from '#kernel/auth/caller-limits'
import type { HandlerContext } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import { LOGIN_MS, registriesLogin } from '../../tasks/registries.ts'
import { checkRegistryLogin } from '../../tasks/registry-login.ts'
import type { LoginCheck } from '../../tasks/registry-login.ts'
import { userCallerOf } from '../access/user-caller.ts'
import { ask } from '../agent/asks.ts'
import { mustUseServer } from '../workflows/server-access.ts'
import { registries } from './decider.ts'
import type { Registry } from './decider.ts'
import { onRegistry } from './one-registry.ts'

const LOGIN_TESTS: CallerLimit = { name: 'registry-test', windowMax: 10, windowSeconds: 60 }

type TestCall = HandlerContext<{ readonly id: string }>

const NOT_RUNNING: LoginCheck = { ok: false, step: 'CONNECT', reason: 'its server does not run it yet' }

/** From the server if there is one, else from this process. */
async function checkLogin(
  call: TestCall,
  { id, address, projectId, hosting, ...login }: Registry,
  serverId: string | undefined,
): Promise<LoginCheck> {
  if (address === null) return NOT_RUNNING
  const asked = { address, publicOnly: projectId !== null && hosting === null }
  if (serverId !== undefined) return ask(call, registriesLogin, serverId, { registryId: id, ...asked })
  const signal = AbortSignal.any([call.abortSignal, AbortSignal.timeout(LOGIN_MS)])
  return call.waitFor(() => checkRegistryLogin({ ...asked, ...login }, signal))
}

/** @throws Rejection 429 · 404 · 403 · 503 as `ask` does */
export async function testRegistry(call: TestCall, serverId?: string): Promise<LoginCheck> {
  const { caller, params, run } = call
  await enforceLimit(call, LOGIN_TESTS, userCallerOf(caller).userId)
  await forgetIdleAttempts(call, LOGIN_TESTS)
  const registry = await onRegistry(call, async (unit, known) => {
    const own = known.hosting?.serverId
    if (own && serverId !== undefined && serverId !== own)
      reject('invalid', 'Only the server that runs this registry reaches it: leave serverId out', 'OTHER_SERVER')
    if (!own && serverId) await mustUseServer(unit, caller, { serverId, projectId: known.projectId })
    return known
  })
  const from = registry.hosting?.serverId ?? serverId
  const check = await checkLogin(call, registry, from)
  const { ok, step } = check
  await run((unit) => unit.decide(registries, params.id, 'NoteTest', { serverId: from ?? null, ok, step }))
  return check
}
