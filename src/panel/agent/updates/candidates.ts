/** Which agents an update is for, and why not the others. */
import { compareVersions } from '#kernel/lib/version-order'
import type { ServerRow } from '#projections/panel/servers'
import { AGENT_ARCHITECTURES } from '../../../tasks/agent-release.ts'
import type { AgentArchitecture, AgentRelease } from '../../../tasks/agent-release.ts'
import { agentUpdate } from '../../../tasks/agent-update.ts'

/**
 * LOCAL: it is updated with the panel. NOT_INSTALLED: it has no agent. OFFLINE: its agent is silent. CONFLICTED: two agents
 * use its token. CURRENT: its agent has this version, or a newer one. BY_HAND: its agent runs from its source. NOT_BUILT: the
 * release has nothing for its architecture. LATER: the update is for 1,000 others.
 */
export const SKIPPED_WHY = [
  'LOCAL',
  'NOT_INSTALLED',
  'OFFLINE',
  'CONFLICTED',
  'CURRENT',
  'BY_HAND',
  'NOT_BUILT',
  'LATER',
] as const
export type SkippedWhy = (typeof SKIPPED_WHY)[number]

export const SERVERS_MAX = 1_000

type Candidate = Pick<ServerRow, 'id' | 'kind' | 'facts' | 'isConflicted'>
interface Found {
  readonly release: AgentRelease
  /** Whether its agent was heard of lately. */
  isReachable(serverId: string): boolean
}

const archIn = (text: string): AgentArchitecture | undefined => AGENT_ARCHITECTURES.find((each) => each === text)

function whyNot({ id, kind, facts, isConflicted }: Candidate, { release, isReachable }: Found): SkippedWhy | undefined {
  if (kind === 'LOCAL') return 'LOCAL'
  if (!facts) return 'NOT_INSTALLED'
  if (isConflicted) return 'CONFLICTED'
  if (!isReachable(id)) return 'OFFLINE'
  if (facts.kinds[agentUpdate.name] !== agentUpdate.version) return 'BY_HAND'
  if (compareVersions(facts.version, release.version) >= 0) return 'CURRENT'
  const arch = archIn(facts.arch)
  return arch && release.executables[arch] ? undefined : 'NOT_BUILT'
}

export function chooseServers(all: readonly Candidate[], found: Found) {
  const servers: { serverId: string; arch: AgentArchitecture }[] = []
  const skipped: { serverId: string; reason: SkippedWhy }[] = []
  for (const candidate of all) {
    const reason = whyNot(candidate, found) ?? (servers.length < SERVERS_MAX ? undefined : 'LATER')
    if (reason) skipped.push({ serverId: candidate.id, reason })
    else servers.push({ serverId: candidate.id, arch: archIn(candidate.facts!.arch)! })
  }
  return { servers, skipped }
}
