/** The versions of a plan beside each other, the newest first: each is marked where it differs from the one before. */
import { getAdminPlansByIdVersions } from '#api-client/licensing'
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
          rowOf(versions, 'A month', (version) => price(version, 'priceMonthly')),
          rowOf(versions, 'A year', (version) => price(version, 'priceYearly')),
          ...keys.map((key) => rowOf(versions, nameOf(key), (version) => valueIn(version, key))),
        ]}
      />
    </Part>
  )
}

function rowOf(versions: readonly Version[], label: string, shown: (version: Version) => ComparedRow['cells'][number]) {
  const cells = versions.map(shown)
  const texts = cells.map((cell) => JSON.stringify(cell))
  return {
    key: label,
    label,
    cells,
    isOther: texts.map((text, nth) => nth + 1 < texts.length && text !== texts[nth + 1]),
  }
}

const valueIn = ({ features }: Pick<Version, 'features'>, key: string) => (
  <Value of={features.find((feature) => feature.key === key)?.value} />
)
