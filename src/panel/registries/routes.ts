import { z } from 'zod'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { countRows } from '#kernel/projections/count-rows'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { arrayLists } from '#kernel/resource/array-lists'
import { listRoute } from '#kernel/resource/list-route'
import { registryTable } from '#projections/panel/registries'
import type { RegistryRow } from '#projections/panel/registries'
import { LoginCheck } from '../../tasks/registry-login.ts'
import { registryAdder, registryLister, registryManager } from '../access/registry-access.ts'
import { PASSWORD_MASK } from '../config/decider.ts'
import { mustManageRegistries, rejectTakenRegistryName } from '../workflows/registries.ts'
import { testRegistry } from './check-login.ts'
import { registries } from './decider.ts'
import type { Registry as RegistryState } from './decider.ts'
import { REGISTRY_KINDS } from './events.ts'
import { NewRegistry, RegistryChange } from './input.ts'
import { onRegistry } from './one-registry.ts'

/** Of a project, and of the installation. */
const REGISTRIES_MAX = 100

const Registry = z
  .object({
    id: z.uuid(),
    kind: z.enum(REGISTRY_KINDS),
    projectId: z.uuid().nullable().describe('Null: every project may use it.'),
    name: z.string(),
    address: z.string(),
    username: z.string().nullable().describe('Null: the caller may use the registry, and not see its login.'),
    password: z.string().describe('Masked. Send the mask back to keep the stored password.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Registry' })

type Shown = Pick<RegistryState, 'id' | 'kind' | 'projectId' | 'name' | 'address' | 'createdAt'> & {
  readonly username: string | null
}

const toRegistry = ({ id, kind, projectId, name, address, username, createdAt }: Shown): z.input<typeof Registry> => ({
  id,
  kind,
  projectId,
  name,
  address,
  username,
  password: PASSWORD_MASK,
  createdAt,
})

async function shownRegistries(rows: readonly RegistryRow[], { vault, caller }: HandlerContext) {
  const opened = await registryTable.open(vault, rows)
  const isHidden = ({ projectId }: Shown) => projectId === null && !caller.can('registries:view')
  return opened.map((row) => toRegistry(isHidden(row) ? { ...row, username: null } : row))
}

/** Approximate under races: it bounds what an account can store, and no rule depends on it. @throws Rejection 409 */
async function refuseTooMany(read: ReadDatabase, projectId: string | null): Promise<void> {
  const all = registryTable.queryIn(read).selectAll()
  const own = projectId === null ? all.where('projectId', 'is', null) : all.where('projectId', '=', projectId)
  if ((await countRows(own)) >= REGISTRIES_MAX)
    reject('conflict', `At most ${REGISTRIES_MAX} registries can be there: remove one first`, 'TOO_MANY')
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
    does: 'Add a registry of the installation, or of a project. POST test says whether the login works.',
    access: registryAdder,
    refuses: [403, 404, 409],
    status: 201,
    body: NewRegistry,
    reply: Registry,
    async handle({ run, read, caller, body: { projectId = null, ...fields } }) {
      return run(async (unit) => {
        await mustManageRegistries(unit, caller, projectId)
        await refuseTooMany(read, projectId)
        const registryId = unit.newId()
        await unit.decide(registries, registryId, 'Add', { registryId, projectId, ...fields })
        return toRegistry((await unit.load(registries, registryId))!)
      }).catch(rejectTakenRegistryName)
    },
  }),

  route('PATCH /api/registries/:id', {
    does: 'Change the name or the login of a registry. A masked password keeps the stored one.',
    access: registryManager,
    body: RegistryChange,
    reply: Registry,
    handle: (call) =>
      onRegistry(call, async (unit, { id }) => {
        await unit.decide(registries, id, 'Change', { changes: call.body })
        return toRegistry((await unit.load(registries, id))!)
      }).catch(rejectTakenRegistryName),
  }),

  route('DELETE /api/registries/:id', {
    does: 'Remove a registry with its login. Images that were pulled from it stay on their servers.',
    access: registryManager,
    handle: (call) =>
      onRegistry(call, async (unit, { id }) => {
        await unit.decide(registries, id, 'Remove', {})
      }),
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
