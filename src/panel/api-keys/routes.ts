import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { allowedIpsInput, parseAllowedIps } from '#kernel/credentials/allowed-ips'
import { hashSecret, newSecret, secretPrefix } from '#kernel/credentials/secret-token'
import { inState } from '#kernel/http/in-state'
import { route } from '#kernel/http/route'
import type { HandlerContext, Route } from '#kernel/http/route'
import { nameSchema } from '#kernel/lib/display-text'
import { found } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { arrayLists } from '#kernel/resource/array-lists'
import { KEY_KINDS, KEY_STATUSES, keysAt, openKeys } from '#projections/panel/api-keys'
import { KEY, platform, session } from '../access/access.ts'
import { panelLists } from '../access/panel-lists.ts'
import { userCallerOf } from '../access/user-caller.ts'
import { streamKeyOf, activeKeysOf, mintKey, revokeKeysOf } from '../workflows/api-keys.ts'
import { apiKeys } from './decider.ts'
import { apiKeyTerms } from './events.ts'

const NAME_MAX = 100
/** Replaces an id in the path. */
const ALL = 'all'
const PROJECTS_MAX = 100

const ApiKey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    prefix: z.string(),
    kind: z.enum(KEY_KINDS),
    /** Null for a MACHINE key, which has no owner. */
    ownerId: z.uuid().nullable(),
    ...apiKeyTerms,
    status: z.enum(KEY_STATUSES),
    createdAt: z.iso.datetime(),
    mintedBy: z.string(),
    lastUsedAt: z.iso.datetime().nullable(),
    lastUsedIp: z.string().nullable(),
    revokedAt: z.iso.datetime().nullable(),
    revokedBy: z.string().nullable(),
  })
  .meta({ id: 'ApiKey' })
type ApiKey = z.output<typeof ApiKey>

/** An expired key can be revoked too, and is then shown as such. */
const UNREVOKED = inState(ApiKey, { status: ['ACTIVE', 'EXPIRED'] })

/** The only reply that contains the secret. */
const MintedKey = z.object({
  key: z.object({ id: z.uuid(), prefix: z.string(), scopes: z.array(z.string()) }),
  secret: z.string(),
})

const NewKey = z
  .strictObject({
    name: nameSchema(NAME_MAX),
    scopes: z
      .array(z.string())
      .meta({ minItems: 1 })
      .describe('Unknown scopes are left out. At least one must remain.'),
    projectIds: z.array(uuid).min(1).max(PROJECTS_MAX).optional(),
    allowedIps: allowedIpsInput,
    expiresAt: z.iso
      .datetime({ offset: true })
      .nullable()
      .default(null)
      .describe('In the future and less than 365 days ahead. Null: no end.')
      .meta({ examples: ['2027-06-30T00:00:00Z'] }),
    kind: z.enum(KEY_KINDS).default('PERSONAL'),
    ownerId: uuid.optional(),
  })
  .refine(({ kind, ownerId }) => kind === 'PERSONAL' || ownerId === undefined, 'A MACHINE key has no owner')
  .describe('A MACHINE key has no owner.')
type NewKey = z.output<typeof NewKey>

const listsOfAll = arrayLists({ userId: uuid.optional() })

/** Scopes that a registered route requires, each with the routes that it gives access to. */
function scopesOf(routes: readonly Pick<Route, 'access' | 'line'>[]): { scope: string; routes: string[] }[] {
  const opened = routes.filter(({ access }) => access.kinds.includes(KEY) && access.scope !== undefined)
  return [...Map.groupBy(opened, ({ access }) => access.scope!)]
    .map(([scope, opens]) => ({ scope, routes: opens.map(({ line }) => line) }))
    .toSorted((one, other) => (one.scope < other.scope ? -1 : 1))
}

const termsOf = ({ kind: _kind, ownerId: _ownerId, ...body }: NewKey) => ({
  ...body,
  projectIds: body.projectIds === undefined ? null : [...new Set(body.projectIds)],
  allowedIps: parseAllowedIps(body.allowedIps),
  expiresAt: body.expiresAt && new Date(body.expiresAt).toISOString(),
})

type KeyContext = HandlerContext<{ id: string }>

/**
 * The stream that must contain the key: the caller's own, or that of any owner.
 * @throws Rejection 404 for a deleted or unknown key
 */
type Holder = (unit: UnitOfWork, call: KeyContext) => Promise<string> | string

const own: Holder = (_unit, { caller }) => userCallerOf(caller).userId
const anyOwner: Holder = (unit, { params: { id } }) => streamKeyOf(unit, id)

/** The keys with these ids, once the read models show what was decided. */
async function keysAfter({ waitForReadModels, read, vault }: KeyContext, at: Date, ids: readonly string[]) {
  await waitForReadModels()
  return openKeys(vault, await keysAt(read, at).where('id', 'in', ids).execute())
}

async function revokeKey(call: KeyContext, holder: Holder): Promise<ApiKey> {
  const { id: apiKeyId } = call.params
  const at = await call.run(async (unit) => {
    await unit.decide(apiKeys, await holder(unit, call), 'RevokeKey', { apiKeyId })
    return unit.at
  })
  const [key] = await keysAfter(call, at, [apiKeyId])
  return found(key)
}

/**
 * @returns the keys that were active until now
 * @throws Rejection 404 if there are none
 */
async function revokeAllKeys(call: KeyContext): Promise<ApiKey[]> {
  const { userId } = userCallerOf(call.caller)
  const { at, ids } = await call.run(async (unit) => {
    const live = await activeKeysOf(unit, userId)
    if (live.length === 0) found(undefined)
    await revokeKeysOf(unit, userId)
    return { at: unit.at, ids: live.map(({ id }) => id) }
  })
  return keysAfter(call, at, ids)
}

const deleteKey = (call: KeyContext, holder: Holder) =>
  call.run(async (unit) => {
    await unit.decide(apiKeys, await holder(unit, call), 'DeleteKey', { apiKeyId: call.params.id })
  })

/** @param routes all routes of the panel; the scopes are derived from them */
export const apiKeyRoutes = (routes: () => readonly Pick<Route, 'access' | 'line'>[]): readonly Route[] => [
  route('GET /api/api-keys', {
    does: 'List the caller’s own keys, including revoked and expired ones, without secrets.',
    access: session,
    query: panelLists.query,
    reply: panelLists.reply(ApiKey),
    handle: ({ read, vault, now, caller, query }) =>
      panelLists.answer(keysAt(read, now).where('ownerId', '=', userCallerOf(caller).userId), query, (rows) =>
        openKeys(vault, rows),
      ),
  }),

  route('POST /api/api-keys', {
    does: 'Create an API key. The secret is shown once. A SUPERADMIN can create MACHINE keys and keys of an `ownerId`.',
    access: session,
    status: 201,
    body: NewKey,
    reply: MintedKey,
    shownOnce: ['secret'],
    async handle({ run, read, caller, body }) {
      const secret = newSecret('k')
      const asked = {
        caller,
        read,
        forOther: body.kind === 'MACHINE' ? null : body.ownerId,
        known: scopesOf(routes()).map(({ scope }) => scope),
        terms: termsOf(body),
        spelled: { prefix: secretPrefix(secret), hash: hashSecret(secret) },
      }
      return { key: await run((unit) => mintKey(unit, asked)), secret }
    },
  }),

  route('GET /api/api-keys/scopes', {
    does: 'List the scopes that a key can hold, and the routes that each one gives access to.',
    access: session,
    reply: z.array(z.object({ scope: z.string(), routes: z.array(z.string()) })),
    handle: async () => scopesOf(routes()),
  }),

  route('POST /api/api-keys/:id/revoke', {
    does: 'Revoke one of the caller’s keys, or all active ones with `all` as the id. Revoked keys stay in the list.',
    access: session,
    from: UNREVOKED,
    params: z.object({ id: z.union([z.literal(ALL), uuid]) }),
    reply: z.union([ApiKey, z.array(ApiKey)]),
    handle: (call) => (call.params.id === ALL ? revokeAllKeys(call) : revokeKey(call, own)),
  }),

  route('DELETE /api/api-keys/:id', {
    does: 'Delete one of the caller’s keys. It stops working at once and leaves all lists; the audit log keeps it.',
    access: session,
    handle: (call) => deleteKey(call, own),
  }),

  route('GET /api/admin/api-keys', {
    does: 'List all keys of the installation, or those of one account (`userId`).',
    access: platform('users:view'),
    query: listsOfAll.query,
    reply: listsOfAll.reply(ApiKey),
    handle({ read, vault, now, query }) {
      const all = keysAt(read, now)
      const rows = query.userId === undefined ? all : all.where('ownerId', '=', query.userId)
      return listsOfAll.answer(rows, query, (found) => openKeys(vault, found))
    },
  }),

  route('POST /api/admin/api-keys/:id/revoke', {
    does: 'Revoke any account’s key. The audit log names the key and its owner.',
    access: platform('users:manage'),
    from: UNREVOKED,
    reply: ApiKey,
    handle: (call) => revokeKey(call, anyOwner),
  }),

  route('DELETE /api/admin/api-keys/:id', {
    does: 'Delete any account’s key. The audit log names the key and its owner.',
    access: platform('users:manage'),
    handle: (call) => deleteKey(call, anyOwner),
  }),
]
