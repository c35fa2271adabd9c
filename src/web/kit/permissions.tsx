/** Permissions such as `apps:view`, grouped by what stands before their last colon. */
import { labelOf } from './words.ts'

const groupOf = (permission: string): string => permission.slice(0, permission.lastIndexOf(':'))

/** `*` stands for all of its group. */
function actOf(permission: string): string {
  const act = permission.slice(permission.lastIndexOf(':') + 1)
  return act === '*' ? 'all' : act
}

const grouped = (permissions: readonly string[]): readonly (readonly [string, readonly string[]])[] =>
  Object.entries(Object.groupBy(permissions, groupOf)).map(([group, all = []]) => [group, all])

const groupName = (group: string): string => labelOf(group.replaceAll(':', ' '))

interface PermissionChoiceProps {
  readonly legend: string
  /** All that can be chosen. */
  readonly of: readonly string[]
  readonly value: readonly string[]
  readonly onChange: (value: readonly string[]) => void
}

export const PermissionChoice = ({ legend, of, value, onChange }: PermissionChoiceProps) => (
  <fieldset className="field">
    <legend>{legend}</legend>
    <div className="permissions">
      {grouped(of).map(([group, all]) => (
        <fieldset key={group} aria-label={groupName(group)}>
          <span className="soft">{groupName(group)}</span>
          <span className="row">
            {all.map((each) => (
              <label key={each} className="check">
                <input
                  type="checkbox"
                  checked={value.includes(each)}
                  onChange={({ target }) =>
                    onChange(of.filter((other) => (other === each ? target.checked : value.includes(other))))
                  }
                />
                <span>{actOf(each)}</span>
              </label>
            ))}
          </span>
        </fieldset>
      ))}
    </div>
  </fieldset>
)

/** The same, to read. */
export const PermissionList = ({ of }: { readonly of: readonly string[] }) =>
  of.length === 0 ? (
    <span className="soft">none</span>
  ) : (
    <dl className="permissions">
      {grouped(of).map(([group, all]) => (
        <div key={group}>
          <dt className="soft">{groupName(group)}</dt>
          <dd>{all.map(actOf).join(', ')}</dd>
        </div>
      ))}
    </dl>
  )

interface PermissionMatrixProps {
  readonly caption: string
  readonly of: readonly string[]
  readonly holders: readonly { readonly name: string; readonly permissions: readonly string[] }[]
}

/** Who holds what, beside each other. */
export const PermissionMatrix = ({ caption, of, holders }: PermissionMatrixProps) => (
  <div className="table-frame">
    <table className="table">
      <caption className="only-read">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Permission</th>
          {holders.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {grouped(of).map(([group, all]) => (
          <tr key={group}>
            <td data-label="Permission">{groupName(group)}</td>
            {holders.map(({ name, permissions }) => (
              <td key={name} data-label={name}>
                {all
                  .filter((each) => permissions.includes(each))
                  .map(actOf)
                  .join(', ') || <span className="soft">–</span>}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
