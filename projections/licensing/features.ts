import { key, oneOf, readModel, text, timestamptz, bool } from '#kernel/projections/read-model'
import { featureEvents } from '#licensing/features/events'
import type { FEATURE_TYPES } from '#licensing/features/events'

const columns = {
  id: key,
  key: text,
  name: text,
  type: oneOf<(typeof FEATURE_TYPES)[number]>(),
  archived: bool,
  createdAt: timestamptz,
}

export const featureTable = readModel('features', 1, columns, ['(created_at, id)']).from(featureEvents, {
  FeatureCreated: (table, { featureId, ...feature }, { at }) =>
    table.insert({ ...feature, id: featureId, archived: false, createdAt: at }),
  FeatureChanged: (table, { featureId, changes }) => table.update({ id: featureId }, changes),
  FeatureRemoved: (table, { featureId }) => table.remove({ id: featureId }),
})
