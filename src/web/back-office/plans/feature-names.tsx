import { getAdminFeatures } from '#api-client/licensing/features'
import { useAnswerIf } from '../../session/context.tsx'

/** @returns the name that is declared for a key of a feature, or the key */
export function useFeatureNames(isAsked: boolean): (key: string) => string {
  const declared = useAnswerIf(isAsked, getAdminFeatures, { query: { limit: 100, sort: 'key' } })
  return (key) => declared.data?.items.find((feature) => feature.key === key)?.name ?? key
}
