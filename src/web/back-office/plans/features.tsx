/** The features of a plan, with the names that are declared for their keys. */
import { getAdminFeatures } from '#api-client/licensing'
import { Fact, Facts, Part, Value } from '../../kit/controls.tsx'
import { Time } from '../../kit/time.tsx'
import { useAnswerIf } from '../../session/context.tsx'
import type { PlanFeature } from './feature-matrix.tsx'

export function PlanFeatures({ of }: { readonly of: readonly PlanFeature[] }) {
  const declared = useAnswerIf(of.length > 0, getAdminFeatures, { query: { limit: 100, sort: 'key' } })
  const nameOf = (key: string): string => declared.data?.items.find((feature) => feature.key === key)?.name ?? key
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
