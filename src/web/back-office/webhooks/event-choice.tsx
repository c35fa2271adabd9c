/** Which events a webhook gets: all, those to come included, or some of those that the service lists. */
import { getAdminWebhooksEvents } from '#api-client/licensing/webhooks'
import { labelOf } from '../../kit/words.ts'
import { useAnswerIf } from '../../session/context.tsx'

const EVERYTHING = '*'

interface EventChoiceProps {
  readonly value: readonly string[]
  readonly onChange: (value: readonly string[]) => void
}

export function EventChoice({ value, onChange }: EventChoiceProps) {
  const catalogue = useAnswerIf(true, getAdminWebhooksEvents, {})
  const isAll = value.includes(EVERYTHING)
  const set = (type: string, isChosen: boolean): void =>
    onChange(isChosen ? [...value, type] : value.filter((other) => other !== type))
  return (
    <fieldset className="field">
      <legend>Events</legend>
      <label className="check">
        <input
          type="checkbox"
          checked={isAll}
          onChange={({ target }) => onChange(target.checked ? [EVERYTHING] : [])}
        />
        <span>All events, also those of later releases</span>
      </label>
      {!isAll && (
        <div className="permissions">
          {Object.entries(Object.groupBy(catalogue.data?.events ?? [], ({ type }) => type.split('.')[0]!)).map(
            ([noun, events = []]) => (
              <div key={noun}>
                <span className="soft">{labelOf(noun)}</span>
                <span className="row">
                  {events.map(({ type, fields }) => (
                    <label key={type} className="check" title={`Fields: ${fields.join(', ')}`}>
                      <input
                        type="checkbox"
                        checked={value.includes(type)}
                        onChange={({ target }) => set(type, target.checked)}
                      />
                      <span>{type.slice(noun.length + 1).replaceAll('_', ' ')}</span>
                    </label>
                  ))}
                </span>
              </div>
            ),
          )}
        </div>
      )}
    </fieldset>
  )
}
