/** The versions of a plan beside each other, the newest first: each is marked where it differs from the one before. */
import type { ReactNode } from 'react'
import { getAdminPlansByIdVersions } from '#api-client/licensing/plans'
import type { DataOf } from '#api-client/operation'
import { Comparison } from '../../kit/comparison.tsx'
import type { ComparedRow } from '../../kit/comparison.tsx'
import { Part, Value } from '../../kit/controls.tsx'
import { useAnswerIf } from '../../session/context.tsx'
import { useFeatureNames } from './feature-names.tsx'
import { price } from './price.tsx'

type Version = DataOf<typeof getAdminPlansByIdVersions>['versions'][number]

export function PlanVersions({ id }: { readonly id: string }) {
  const versions = useAnswerIf(true, getAdminPlansByIdVersions, { params: { id } }).data?.versions ?? []
  const nameOf = useFeatureNames(versions.length > 1)
  if (versions.length < 2) return null
  const keys = [...new Set(versions.flatMap(({ features }) => features.map(({ key }) => key)))]
  return (
    <Part title="Versions">
      <p className="soft">Subscriptions keep the version that they were sold.</p>
      <Comparison
        caption="Versions of this plan"
        heads={versions.map(({ version }) => ({ key: String(version), head: `Version ${version}` }))}
        rows={[
          rowOf(
            versions,
            'A month',
            ({ free, currency, priceMonthly }) => [free, currency, priceMonthly],
            (version) => price(version, 'priceMonthly'),
          ),
          rowOf(
            versions,
            'A year',
            ({ free, currency, priceYearly }) => [free, currency, priceYearly],
            (version) => price(version, 'priceYearly'),
          ),
          ...keys.map((key) =>
            rowOf(
              versions,
              nameOf(key),
              (version) => featureOf(version, key),
              (version) => <Value of={featureOf(version, key)?.value} />,
            ),
          ),
        ]}
      />
    </Part>
  )
}

/** @param valueOf what is compared with the version before */
function rowOf(
  versions: readonly Version[],
  label: string,
  valueOf: (version: Version) => unknown,
  shown: (version: Version) => ReactNode,
): ComparedRow {
  const texts = versions.map((version) => JSON.stringify(valueOf(version)))
  const isOther = texts.map((text, nth) => nth + 1 < texts.length && text !== texts[nth + 1])
  return { key: label, label, cells: versions.map(shown), isOther }
}

const featureOf = ({ features }: Version, key: string) => features.find((feature) => feature.key === key)
