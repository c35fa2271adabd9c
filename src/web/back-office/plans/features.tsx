/** The features of a plan, with the names that are declared for their keys. */
import { Fact, Facts, Part, Value } from '../../kit/controls.tsx'
import { Time } from '../../kit/time.tsx'
import type { PlanFeature } from './feature-matrix.tsx'
import { useFeatureNames } from './feature-names.tsx'

export function PlanFeatures({ of }: { readonly of: readonly PlanFeature[] }) {
  const nameOf = useFeatureNames(of.length > 0)
  return (
    <Part title="Features">
      {of.length === 0 ? (
        <p className="soft">This plan has no feature.</p>
      ) : (
        <Facts>
          {of.map(({ key, value, validFrom, validTo }) => (
            <Fact key={key} label={nameOf(key)}>
              <Value of={value} />
              {validFrom !== undefined && (
                <span className="soft">
                  {' '}
                  from <Time at={validFrom} />
                </span>
              )}
              {validTo !== undefined && (
                <span className="soft">
                  {' '}
                  until <Time at={validTo} />
                </span>
              )}
            </Fact>
          ))}
        </Facts>
      )}
    </Part>
  )
}
