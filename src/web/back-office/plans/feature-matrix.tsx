/** The features of a plan, to choose: each declared feature with an input for its type. */
import { useId } from 'react'
import { getAdminFeatures } from '#api-client/licensing/features'
import { useAnswerIf } from '../../session/context.tsx'

export interface PlanFeature {
  readonly key: string
  readonly value: boolean | number | string
  readonly validFrom?: string | undefined
  readonly validTo?: string | undefined
}

interface Offered {
  readonly key: string
  readonly name: string
  readonly type: 'BOOLEAN' | 'INTEGER' | 'STRING'
}

interface FeatureMatrixProps {
  readonly value: readonly PlanFeature[]
  readonly onChange: (value: readonly PlanFeature[]) => void
}

export function FeatureMatrix({ value, onChange }: FeatureMatrixProps) {
  const declared = useAnswerIf(true, getAdminFeatures, { query: { limit: 100, sort: 'key' } })
  const all: readonly (Offered & { readonly archived: boolean })[] = declared.data?.items ?? []
  const held = new Map(value.map((feature) => [feature.key, feature]))
  const undeclared = value.filter(({ key }) => !all.some((feature) => feature.key === key))
  const rows: readonly Offered[] = [
    ...all.filter(({ key, archived }) => !archived || held.has(key)),
    ...undeclared.map((feature) => ({ key: feature.key, name: feature.key, type: typeOf(feature.value) })),
  ]
  const set = (key: string, changed: PlanFeature['value'] | undefined): void => {
    const others = value.filter((feature) => feature.key !== key)
    onChange(changed === undefined ? others : [...others, { ...held.get(key), key, value: changed }])
  }
  return (
    <fieldset className="field">
      <legend>Features</legend>
      {rows.length === 0 && <span className="field-help">No feature is declared yet. Declare features first.</span>}
      <div className="permissions">
        {rows.map((row) => (
          <FeatureRow
            key={row.key}
            row={row}
            feature={held.get(row.key)}
            onChange={(changed) => set(row.key, changed)}
          />
        ))}
      </div>
    </fieldset>
  )
}

function typeOf(value: PlanFeature['value']): Offered['type'] {
  if (typeof value === 'boolean') return 'BOOLEAN'
  return typeof value === 'number' ? 'INTEGER' : 'STRING'
}

interface FeatureRowProps {
  readonly row: Offered
  readonly feature: PlanFeature | undefined
  readonly onChange: (value: PlanFeature['value'] | undefined) => void
}

/** An empty input leaves the feature out of the plan. */
function FeatureRow({ row: { key, name, type }, feature, onChange }: FeatureRowProps) {
  const id = useId()
  const text = feature === undefined ? '' : String(feature.value)
  return (
    <div>
      <label htmlFor={id}>
        {name} {name !== key && <code className="small soft">{key}</code>}
      </label>
      {type === 'BOOLEAN' ? (
        <select
          id={id}
          className="input"
          value={text}
          onChange={({ target }) => onChange(target.value === '' ? undefined : target.value === 'true')}
        >
          <option value="">Not in this plan</option>
          <option value="true">Yes</option>
          <option value="false">No</option>
        </select>
      ) : (
        <input
          id={id}
          className="input"
          type={type === 'INTEGER' ? 'number' : 'text'}
          placeholder="Not in this plan"
          value={text}
          onChange={({ target }) => onChange(valueOf(type, target.value))}
        />
      )}
      {feature && (feature.validFrom ?? feature.validTo) && (
        <span className="field-help">
          Valid from {feature.validFrom ?? 'the beginning'} until {feature.validTo ?? 'further notice'}
        </span>
      )}
    </div>
  )
}

function valueOf(type: Offered['type'], text: string): PlanFeature['value'] | undefined {
  if (text === '') return undefined
  return type === 'INTEGER' ? Number(text) : text
}
