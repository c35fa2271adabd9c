import type { ServerAccessRule } from '#api-client/panel/schemas'
import { deleteServersByIdAccessByRuleId, patchServersByIdAccessByRuleId, postServers } from '#api-client/panel/servers'
import { Action } from '../../kit/action.tsx'
import { useCan } from '../../session/context.tsx'

interface RuleActionsProps {
  readonly serverId: string
  readonly rule: ServerAccessRule
  readonly name: string
  readonly isLast: boolean
}

/** Rules to manage are for those who manage all servers. */
export function RuleActions({ serverId, rule, name, isLast }: RuleActionsProps) {
  const managesAll = useCan()(postServers)
  const { id: ruleId, level, isGone } = rule
  const input = { params: { id: serverId, ruleId } }
  const mayRemove = managesAll || level === 'USE'
  return (
    <div className="row">
      <Action
        operation={patchServersByIdAccessByRuleId}
        input={input}
        label="Change"
        title={`Change the access of ${name}`}
        initial={{ level }}
        isOffered={managesAll && !isGone}
        done="The access rule is changed"
      />
      <Action
        operation={deleteServersByIdAccessByRuleId}
        input={input}
        label="Remove"
        title={`Remove the access of ${name}`}
        tone="bad"
        about={
          <p>
            {isLast
              ? 'This is the last rule: without it, every account may use the server.'
              : 'Workloads that are on the server stay there.'}
          </p>
        }
        isOffered={mayRemove}
        done={isLast ? 'The server is open to every account' : 'The access rule is removed'}
      />
    </div>
  )
}
