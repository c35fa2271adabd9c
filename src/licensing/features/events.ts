/**
 * A feature is something that plans can offer. It is declared once, with the type of its value in
 * every plan.
 */
import { z } from 'zod'
import { event, stream } from '#kernel/events/event'

export const FEATURE_TYPES = ['BOOLEAN', 'INTEGER', 'STRING'] as const
export const featureType = z.enum(FEATURE_TYPES)
const featureName = z.string().trim().min(1).max(100)
export const featureKey = z
  .string()
  .regex(/^[a-z][a-z0-9_.-]{0,63}$/, 'must start with a letter and contain only lower-case letters, digits, _ . and -')

const featureId = z.uuid()

export const FeatureCreated = event(
  'FeatureCreated',
  'featureId',
  { featureId, key: featureKey, name: featureName, type: featureType },
  ({ featureId, key, type }) => `created feature ${featureId} (${key}, ${type})`,
)

export const FeatureChanged = event(
  'FeatureChanged',
  'featureId',
  { featureId, changes: z.strictObject({ name: featureName, archived: z.boolean() }).partial() },
  ({ featureId, changes }) => `changed ${Object.keys(changes).join(', ')} of feature ${featureId}`,
)

export const FeatureRemoved = event(
  'FeatureRemoved',
  'featureId',
  { featureId, key: featureKey },
  ({ featureId, key }) => `removed feature ${featureId} (${key})`,
)

/**
 * Recorded for undeclared features too: a later declaration must match what plans already offer.
 */
export const PlanFeaturesOffered = event(
  'PlanFeaturesOffered',
  'planId',
  { planId: z.uuid(), types: z.record(z.string(), featureType) },
  ({ planId, types }) => `offered ${Object.keys(types).join(', ') || 'no feature'} with plan ${planId}`,
)

/**
 * One stream per installation: a feature's type depends on all plans, and a plan's features on all
 * declarations.
 */
export const featureEvents = stream('features', [FeatureCreated, FeatureChanged, FeatureRemoved, PlanFeaturesOffered])
