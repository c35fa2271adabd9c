import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { flag } from '#kernel/lib/flag'
import { reject } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { countRows } from '#kernel/projections/count-rows'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { arrayLists } from '#kernel/resource/array-lists'
import { listRoute } from '#kernel/resource/list-route'
import { hostedRegistryTable, registryTable } from '#projections/panel/registries'
import type { RegistryRow } from '#projections/panel/registries'
import { HOSTED_MAX, REGISTRY_WORKLOAD } from '../../tasks/registries.ts'
import { LoginCheck } from '../../tasks/registry-login.ts'
import { registryAdder, registryLister, registryManager } from '../access/registry-access.ts'
import { PASSWORD_MASK } from '../config/decider.ts'
import { placeWorkload } from '../workflows/place-workload.ts'
import { mustManageRegistries, rejectTakenRegistryName, removeRegistry } from '../workflows/registries.ts'
import { testRegistry } from './check-login.ts'
import { registries } from './decider.ts'
import type { Registry as RegistryState } from './decider.ts'
import { REGISTRY_KINDS } from './events.ts'
import { mustBeHashable, NewRegistry, RegistryChange, reservedBy } from './input.ts'
import { onRegistry } from './one-registry.ts'
import { registryProblems } from './problems.ts'
import type { RegistryProblem } from './problems.ts'

/** Of a project, and of the installation. */
const REGISTRIES_MAX = 100

const Registry = z
  .object({
    id: z.uuid(),
    kind: z.enum(REGISTRY_KINDS),
    projectId: z.uuid().nullable().describe('Null: every project may use it.'),
    name: z.string(),
    address: z
      .string()
      .nullable()
      .describe('Of a SELF_HOSTED one: on the loopback address of its server. Null until it runs.'),
    serverId: z.uuid().nullable().describe('The server that runs it. Null: it runs elsewhere.'),
    problem: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .describe('Why its server does not run it. It is tried again within 20 minutes. Null: nothing is known.'),
    username: z.string().nullable().describe('Null: the caller may use the registry, and not see its login.'),
    password: z.string().describe('Masked. Send the mask back to keep the stored password.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Registry' })

type Shown = Pick<RegistryState, 'id' | 'kind' | 'projectId' | 'name' | 'address' | 'createdAt'> & {
  readonly username: string | null
  readonly serverId: string | null
}

const toRegistry = (registry: Shown, problem: RegistryProblem | null): z.input<typeof Registry> => ({
  id: registry.id,
  kind: registry.kind,
  projectId: registry.projectId,
  name: registry.name,
  address: registry.address,
  serverId: registry.serverId,
  problem,
  username: registry.username,
  password: PASSWORD_MASK,
  createdAt: registry.createdAt,
})

async function shownRegistries(rows: readonly RegistryRow[], { vault, caller, read }: HandlerContext) {
  const [opened, problems] = [await registryTable.open(vault, rows), await registryProblems(read, rows)]
  const isHidden = ({ projectId }: Shown) => projectId === null && !caller.can('registries:view')
  return opened.map((row) =>
    isHidden(row) ? toRegistry({ ...row, username: null }, null) : toRegistry(row, problems.get(row.id) ?? null),
  )
}

/** As the unit of work leaves it. */
async function loadRegistry(unit: UnitOfWork, read: ReadDatabase, id: string) {
  const registry = (await unit.load(registries, id))!
  const shown = { ...registry, serverId: registry.hosting?.serverId ?? null }
  return toRegistry(shown, (await registryProblems(read, [shown])).get(id) ?? null)
}

/** Approximate under races: it bounds what an account can store, and no rule depends on it. @throws Rejection 409 */
async function refuseTooMany(read: ReadDatabase, projectId: string | null, serverId?: string): Promise<void> {
  const all = registryTable.queryIn(read).selectAll()
  const own = projectId === null ? all.where('projectId', 'is', null) : all.where('projectId', '=', projectId)
  if ((await countRows(own)) >= REGISTRIES_MAX)
    reject('conflict', `At most ${REGISTRIES_MAX} registries can be there: remove one first`, 'TOO_MANY')
  const hosted = hostedRegistryTable.queryIn(read).selectAll().where('state', '=', 'THERE')
  if (serverId !== undefined && (await countRows(hosted.where('serverId', '=', serverId))) >= HOSTED_MAX)
    reject('conflict', `A server runs at most ${HOSTED_MAX} registries: remove one first`, 'TOO_MANY')
}

/** The login is made by the panel, and can be changed. */
const LOGIN_NAME = 'daybook'

type NewRegistryBody = z.output<typeof NewRegistry>

/** @throws Rejection as `placeWorkload` does */
async function addRegistry(unit: UnitOfWork, call: Pick<HandlerContext, 'vault' | 'caller'>, body: NewRegistryBody) {
  const { kind, name, projectId = null, address = null } = body
  const [registryId, hosting] = [unit.newId(), reservedBy(body) ?? null]
  const password = body.password ?? (await call.vault.hmac('registry-passwords', registryId))
  const login = { username: body.username ?? LOGIN_NAME, password }
  await unit.decide(registries, registryId, 'Add', { registryId, projectId, kind, name, address, ...login, hosting })
  const workload = { kind: REGISTRY_WORKLOAD, id: registryId }
  if (hosting) await placeWorkload(unit, { caller: call.caller, ...hosting, workload, projectId })
  return registryId
}

export const registryRoutes = [
  listRoute('GET /api/registries', registryTable, arrayLists({ projectId: uuid.optional() }), {
    does: 'List the registries of the installation. With projectId, those of the project too.',
    access: registryLister,
    item: Registry,
    only: (rows, { query: { projectId } }) =>
      projectId === undefined
        ? rows.where('projectId', 'is', null)
        : rows.where((is) => is.or([is('projectId', 'is', null), is('projectId', '=', projectId)])),
    shown: shownRegistries,
  }),

  route('POST /api/registries', {
    does: 'Add a registry of the installation or of a project: one that runs elsewhere, or one that a server is to run.',
    access: registryAdder,
    refuses: [403, 404, 409],
    status: 201,
    body: NewRegistry,
    reply: Registry,
    async handle(call) {
      const { run, read, caller, body } = call
      const { projectId = null, serverId } = body
      return run(async (unit) => {
        await mustManageRegistries(unit, caller, projectId)
        await refuseTooMany(read, projectId, serverId)
        return loadRegistry(unit, read, await addRegistry(unit, call, body))
      }).catch(rejectTakenRegistryName)
    },
  }),

  route('PATCH /api/registries/:id', {
    does: 'Change the name or the login of a registry. A masked password keeps the stored one.',
    access: registryManager,
    body: RegistryChange,
    reply: Registry,
    handle: (call) =>
      onRegistry(call, async (unit, { id, hosting }) => {
        if (hosting) mustBeHashable(call.body.password)
        await unit.decide(registries, id, 'Change', { changes: call.body })
        return loadRegistry(unit, call.read, id)
      }).catch(rejectTakenRegistryName),
  }),

  route('DELETE /api/registries/:id', {
    does: 'Remove a registry with its login. A SELF_HOSTED one leaves its images on the server, unless deleteData is set.',
    access: registryManager,
    query: z.strictObject({ deleteData: flag.default(false) }),
    handle: (call) => onRegistry(call, (unit, { id }) => removeRegistry(unit, id, call.query)),
  }),

  route('POST /api/registries/:id/test', {
    does: 'Log in at the registry, from a server if one is named, and report the step that failed. At most ten a minute.',
    access: registryManager,
    refuses: [409, 429],
    body: z.strictObject({ serverId: uuid.optional() }).default({}),
    reply: LoginCheck,
    handle: (call) => testRegistry(call, call.body.serverId),
  }),
]
