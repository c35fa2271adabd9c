import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { pagination, listReply } from '#kernel/http/pagination'
import { recordVersion } from '#kernel/http/record-version'
import { route } from '#kernel/http/route'
import { nameSchema } from '#kernel/lib/display-text'
import { flag } from '#kernel/lib/flag'
import { found } from '#kernel/lib/rejection'
import { containsText } from '#kernel/lib/text-search'
import { findRow } from '#kernel/projections/lookup'
import { featureTable } from '#projections/licensing/features'
import { staffOrToken } from '../access/access.ts'
import { features } from './decider.ts'
import type { Feature as FeatureState } from './decider.ts'
import { featureKey, featureType } from './events.ts'

const Feature = z
  .object({
    id: z.uuid(),
    key: z.string(),
    name: z.string(),
    type: featureType,
    archived: z.boolean(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Feature' })

const name = nameSchema(100)
const NewFeature = z.strictObject({ key: featureKey, name, type: featureType.default('BOOLEAN') })
const FeatureChange = z.strictObject({ name, archived: z.boolean() }).partial()

const featureList = pagination({
  filters: {
    key: featureKey.optional(),
    type: featureType.optional(),
    archived: flag.optional(),
    q: z.string().min(1).max(100).optional(),
  },
  sort: ['createdAt', 'key', 'name'],
})

const featureIn = async (unit: UnitOfWork, featureId: string): Promise<FeatureState> =>
  found((await unit.load(features)).declared.find(({ id }) => id === featureId))

const version = recordVersion(Feature, async (unit, { params }) =>
  (await unit.look(features)).declared.find(({ id }) => id === params['id']),
)

export const featureRoutes = [
  route('GET /api/admin/features', {
    does: 'List features. `q` finds a part of the key or the name.',
    access: staffOrToken('features:view'),
    query: featureList.query,
    reply: listReply(Feature),
    handle: ({ read, query }) =>
      featureList.list(featureTable.queryIn(read).selectAll(), query, {
        q: (rows, text) => rows.where(containsText(['key', 'name'], text)),
      }),
  }),

  route('GET /api/admin/features/:id', {
    does: 'Read a feature.',
    access: staffOrToken('features:view'),
    version,
    reply: Feature,
    handle: async ({ read, params }) => found(await findRow(read, featureTable, params)),
  }),

  route('POST /api/admin/features', {
    does: 'Declare a feature. Every plan’s value must have its type; key and type never change. Plans may still use undeclared features.',
    access: staffOrToken('features:manage'),
    status: 201,
    body: NewFeature,
    reply: Feature,
    handle: ({ run, body }) =>
      run(async (unit) => {
        const featureId = unit.newId()
        await unit.decide(features, undefined, 'CreateFeature', { featureId, ...body })
        return featureIn(unit, featureId)
      }),
  }),

  route('PATCH /api/admin/features/:id', {
    does: 'Rename or archive a feature. Plans that have an archived feature keep it; no other plan can add it.',
    access: staffOrToken('features:manage'),
    version,
    body: FeatureChange,
    reply: Feature,
    handle: ({ run, params, body }) =>
      run(async (unit) => {
        await unit.decide(features, undefined, 'ChangeFeature', { featureId: params.id, ...body })
        return featureIn(unit, params['id'])
      }),
  }),

  route('DELETE /api/admin/features/:id', {
    does: 'Remove a feature that no plan has, open or closed.',
    access: staffOrToken('features:manage'),
    async handle({ run, params }) {
      await run((unit) => unit.decide(features, undefined, 'RemoveFeature', { featureId: params.id }))
    },
  }),
]
