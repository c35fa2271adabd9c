import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { allowedIpsInput, parseAllowedIps } from '#kernel/credentials/allowed-ips'
import { hashSecret, newSecret, secretPrefix } from '#kernel/credentials/secret-token'
import type { Actor } from '#kernel/events/event'
import { inState } from '#kernel/http/in-state'
import { pagination, listReply } from '#kernel/http/pagination'
import { route } from '#kernel/http/route'
import { nameSchema } from '#kernel/lib/display-text'
import { found } from '#kernel/lib/rejection'
import type { ReadDatabase } from '#kernel/projections/read-database'
import {
  TOKEN_STATUSES,
  hasStatus,
  hasNameOrPrefix,
  openLastUsedIps,
  tokensAt,
} from '#projections/licensing/machine-tokens'
import type { TokenRow } from '#projections/licensing/machine-tokens'
import { staff } from '../access/access.ts'
import { machineTokens } from './decider.ts'
import type { MachineTokenMinted } from './events.ts'

const OVERLAP_MINUTES_MAX = 1_440

const MachineToken = z
  .object({
    id: z.uuid(),
    name: z.string(),
    prefix: z.string(),
    permissions: z.array(z.string()),
    allowedIps: z.array(z.string()),
    expiresAt: z.iso.datetime().nullable(),
    status: z.enum(TOKEN_STATUSES),
    createdAt: z.iso.datetime(),
    createdBy: z.string(),
    lastUsedAt: z.iso.datetime().nullable(),
    lastUsedIp: z.string().nullable(),
    revokedAt: z.iso.datetime().nullable(),
    revokedBy: z.string().nullable(),
  })
  .meta({ id: 'MachineToken' })
type MachineToken = z.output<typeof MachineToken>

/** Its decider keeps live tokens only. */
const LIVE = inState(MachineToken, { status: ['ACTIVE'] })

/** The secret is returned only here. */
const MintedToken = z.object({ token: MachineToken, secret: z.string() })

const NewToken = z.strictObject({
  name: nameSchema(100),
  permissions: z
    .array(z.string())
    .meta({ minItems: 1 })
    .describe('What a token can never hold, and unknown permissions, are left out. At least one must remain.'),
  allowedIps: allowedIpsInput,
  expiresAt: z.iso
    .datetime({ offset: true })
    .nullable()
    .default(null)
    .describe(
      'In the future and less than 365 days ahead. Null: no end. A token with `versions:manage` needs one within 90 days.',
    )
    .meta({ examples: ['2027-06-30T00:00:00Z'] }),
})

const Rotation = z.strictObject({ overlapMinutes: z.int().min(0).max(OVERLAP_MINUTES_MAX).default(0) }).prefault({})

const tokenList = pagination({
  filters: { status: z.enum(TOKEN_STATUSES).optional(), q: z.string().min(1).max(100).optional() },
  sort: ['createdAt', 'name'],
})

const tokenAt = async (read: ReadDatabase, id: string, at: Date): Promise<TokenRow | undefined> =>
  tokensAt(read, at).where('id', '=', id).executeTakeFirst()

/** The reply for a newly minted token, from the decision: the read model may not have it yet. */
function toMintedTokenReply(
  events: readonly { type: string; data: unknown }[],
  { at, actor }: { at: Date; actor: Actor },
): MachineToken {
  const { data } = events.find(({ type }) => type === 'MachineTokenMinted') as ReturnType<typeof MachineTokenMinted>
  return {
    id: data.machineTokenId,
    name: data.name,
    prefix: data.prefix,
    permissions: data.permissions,
    allowedIps: data.allowedIps,
    expiresAt: data.expiresAt,
    status: 'ACTIVE',
    createdAt: at.toISOString(),
    createdBy: actor.id,
    lastUsedAt: null,
    lastUsedIp: null,
    revokedAt: null,
    revokedBy: null,
  }
}

const secretFieldsOf = (secret: string) => ({ prefix: secretPrefix(secret), hash: hashSecret(secret) })

/** The rules know live tokens only; the read model tells a dead token from an unknown id. */
async function refuseUnknown(unit: UnitOfWork, read: ReadDatabase, id: string): Promise<void> {
  const live = await unit.load(machineTokens)
  if (!live.some((token) => token.id === id)) found(await tokenAt(read, id, unit.at))
}

export const machineTokenRoutes = [
  route('GET /api/admin/machine-tokens', {
    does: 'List machine tokens, including revoked and expired ones. Last use is a sign of life, not an access log.',
    access: staff('settings:view'),
    query: tokenList.query,
    reply: listReply(MachineToken),
    async handle({ read, vault, query, now }) {
      const page = await tokenList.list(tokensAt(read, now), query, {
        status: (rows, status) => rows.where(hasStatus(now, status)),
        q: (rows, text) => rows.where(hasNameOrPrefix(text)),
      })
      return { ...page, items: await openLastUsedIps(vault, page.items) }
    },
  }),

  route('GET /api/admin/machine-tokens/:id', {
    does: 'Read a machine token. Its secret is never returned.',
    access: staff('settings:view'),
    reply: MachineToken,
    async handle({ read, vault, params, now }) {
      const [token] = await openLastUsedIps(vault, [found(await tokenAt(read, params.id, now))])
      return token!
    },
  }),

  route('POST /api/admin/machine-tokens', {
    does: 'Mint a machine token. Its secret is returned only in this reply. Unknown and forbidden permissions are dropped.',
    access: staff('settings:manage'),
    status: 201,
    body: NewToken,
    reply: MintedToken,
    shownOnce: ['secret'],
    stepUp: true,
    async handle({ run, body, caller }) {
      const secret = newSecret('m')
      const terms = {
        ...body,
        allowedIps: parseAllowedIps(body.allowedIps),
        expiresAt: body.expiresAt && new Date(body.expiresAt).toISOString(),
      }
      const token = await run(async (unit) => {
        const ask = { machineTokenId: unit.newId(), ...terms, ...secretFieldsOf(secret) }
        const events = await unit.decide(machineTokens, undefined, 'MintToken', ask)
        return toMintedTokenReply(events, { at: unit.at, actor: caller.actor })
      })
      return { token, secret }
    },
  }),

  route('POST /api/admin/machine-tokens/:id/revoke', {
    does: 'Revoke a machine token. It is refused from the next request on. A revoked or expired token stays unchanged.',
    access: staff('settings:manage'),
    from: LIVE,
    reply: MachineToken,
    async handle({ run, waitForReadModels, read, vault, params: { id } }) {
      const at = await run(async (unit) => {
        await refuseUnknown(unit, read, id)
        await unit.decide(machineTokens, undefined, 'RevokeToken', { machineTokenId: id })
        return unit.at
      })
      await waitForReadModels()
      const [token] = await openLastUsedIps(vault, [found(await tokenAt(read, id, at))])
      return token!
    },
  }),

  route('POST /api/admin/machine-tokens/:id/rotate', {
    does: 'Mint a successor with the same permissions, addresses and lifetime. The old secret ends at once or after overlapMinutes.',
    access: staff('settings:manage'),
    from: LIVE,
    status: 201,
    body: Rotation,
    reply: MintedToken,
    shownOnce: ['secret'],
    stepUp: true,
    async handle({ run, read, params, body, caller }) {
      const secret = newSecret('m')
      const token = await run(async (unit) => {
        await refuseUnknown(unit, read, params.id)
        const ask = { machineTokenId: params.id, successorId: unit.newId(), ...body, ...secretFieldsOf(secret) }
        const events = await unit.decide(machineTokens, undefined, 'RotateToken', ask)
        return toMintedTokenReply(events, { at: unit.at, actor: caller.actor })
      })
      return { token, secret }
    },
  }),
]
