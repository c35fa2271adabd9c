import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { found, reject } from '#kernel/lib/rejection'
import { FeatureChanged, FeatureCreated, featureEvents, FeatureRemoved, PlanFeaturesOffered } from './events.ts'
import type { FEATURE_TYPES } from './events.ts'

type FeatureType = (typeof FEATURE_TYPES)[number]
type FeatureTypes = Readonly<Record<string, FeatureType>>

export interface Feature {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly type: FeatureType
  /** Plans that have the feature keep it; no other plan may add it. */
  readonly archived: boolean
  readonly createdAt: string
}

export interface Features {
  readonly declared: readonly Feature[]
  /** By plan, open or closed: the features that the plan offers now, declared or not. */
  readonly offered: Readonly<Record<string, FeatureTypes>>
}

interface FeatureOffer {
  readonly planId: string
  readonly features: readonly { readonly key: string; readonly value: boolean | number | string }[]
}

const NOTHING_YET: Features = { declared: [], offered: {} }

export const features = decider(featureEvents, {
  initial: NOTHING_YET,
  evolve: {
    FeatureCreated: (all, { featureId, ...feature }, at): Features => ({
      ...all,
      declared: [...all.declared, { ...feature, id: featureId, archived: false, createdAt: at.toISOString() }],
    }),
    FeatureChanged: (all, { featureId, changes }): Features => ({
      ...all,
      declared: all.declared.map((each) => (each.id === featureId ? { ...each, ...changes } : each)),
    }),
    FeatureRemoved: (all, { featureId }): Features => ({
      ...all,
      declared: all.declared.filter(({ id }) => id !== featureId),
    }),
    PlanFeaturesOffered: (all, { planId, types }): Features => ({
      ...all,
      offered: { ...all.offered, [planId]: types },
    }),
  },
  commands: {
    CreateFeature: (all, ask: DataOf<typeof FeatureCreated>) => {
      if (all.declared.some(({ key }) => key === ask.key))
        reject('conflict', `Feature ${ask.key} already exists`, 'FEATURE_TAKEN')
      if (offersOf(all, ask.key).some((type) => type !== ask.type))
        reject(
          'conflict',
          `A plan has a value of feature ${ask.key} that is not of type ${ask.type}: change the plan first`,
          'FEATURE_TYPE',
        )
      return [FeatureCreated(ask)]
    },
    ChangeFeature: (all, ask: { featureId: string; name?: string | undefined; archived?: boolean | undefined }) => {
      const { id: featureId, name, archived } = featureById(all, ask.featureId)
      const changes = {
        ...(ask.name === undefined || ask.name === name ? {} : { name: ask.name }),
        ...(ask.archived === undefined || ask.archived === archived ? {} : { archived: ask.archived }),
      }
      return Object.keys(changes).length === 0 ? [] : [FeatureChanged({ featureId, changes })]
    },
    RemoveFeature: (all, ask: { featureId: string }) => {
      const { id: featureId, key } = featureById(all, ask.featureId)
      if (offersOf(all, key).length > 0)
        reject('conflict', `A plan has feature ${key}: archive the feature instead of removing it`, 'FEATURE_IN_USE')
      return [FeatureRemoved({ featureId, key })]
    },
    /** Checks the features of a plan that is about to be created or changed. */
    OfferFeatures: (all, { planId, features }: FeatureOffer) => {
      const before = all.offered[planId] ?? {}
      const types = Object.fromEntries(features.map(({ key, value }) => [key, typeOf(value)]))
      for (const [key, type] of Object.entries(types)) refuseUnfit(all, { key, type, isNew: !(key in before) })
      return isSame(before, types) ? [] : [PlanFeaturesOffered({ planId, types })]
    },
  },
})

const featureById = ({ declared }: Features, featureId: string): Feature =>
  found(declared.find(({ id }) => id === featureId))

const offersOf = ({ offered }: Features, key: string): FeatureType[] =>
  Object.values(offered).flatMap((types) => types[key] ?? [])

const typeOf = (value: boolean | number | string): FeatureType =>
  typeof value === 'boolean' ? 'BOOLEAN' : typeof value === 'number' ? 'INTEGER' : 'STRING'

function refuseUnfit(
  { declared }: Features,
  { key, type, isNew }: { key: string; type: FeatureType; isNew: boolean },
): void {
  const feature = declared.find((each) => each.key === key)
  if (feature && feature.type !== type)
    reject('invalid', `Feature ${key} takes a value of type ${feature.type}`, 'FEATURE_TYPE')
  if (feature?.archived && isNew)
    reject('invalid', `Feature ${key} is archived: plans can no longer add it`, 'FEATURE_ARCHIVED')
}

const isSame = (one: FeatureTypes, other: FeatureTypes): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([key, type]) => other[key] === type)
