import { postEngineServersByServerIdPrune } from '#api-client/panel/engine'
import { Action } from '../../kit/action.tsx'
import { bytes } from '../../kit/bytes.ts'
import { outcomeOf } from '../agent/outcome.ts'

const { failure, done } = outcomeOf('')

export const Prune = ({ serverId }: { readonly serverId: string }) => (
  <Action
    operation={postEngineServersByServerIdPrune}
    input={{ params: { serverId } }}
    label="Remove what is unused"
    tone="bad"
    about={<p>Images without a name, networks without containers, and the build cache. Volumes stay.</p>}
    labels={{ olderThanHours: 'Only what is older, in hours', parts: 'What is removed' }}
    failure={failure}
    done={(data) => (data.result ? `${data.result.removed} removed, ${bytes(data.result.bytes)} freed` : done(data))}
  />
)
