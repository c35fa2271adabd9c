/** A server: a host that runs what projects contain, with one agent. */
import { z } from 'zod'
import { eventsAbout, internal, sealed, stream } from '#kernel/events/event'

const installTokenId = z.uuid()
/** SHA-256 of a token in hex; the token is derived and stored nowhere. */
const hash = internal(z.string())
/** The id that a container engine gives itself. Null: the agent finds no engine. */
const engineId = z.string().nullable()

export const SERVER_KINDS = ['LOCAL', 'REMOTE'] as const

export const sealedForServer = ({ serverId }: { serverId: string }): string => `server/${serverId}`

/** What a manager of the server sets. The audit trail shows the name, so it must not name a person. */
export const serverFields = {
  name: z.string(),
  description: sealed(z.string().nullable()),
  publicAddress: z.string().nullable(),
  /** Where the agent may call from. Canonical form, see allowed-ips.ts. Empty: any address. */
  allowedIps: z.array(z.string()),
  labels: z.array(z.string()),
  /** Null: the links to other servers are not measured. */
  meshPort: z.int().nullable(),
  /** Takes no new workload. */
  cordoned: z.boolean(),
}

/** What there is on the host. */
export const capacityFields = { cpuMillis: z.int(), memoryMiB: z.int(), diskMiB: z.int() }

/** What the agent says about itself and its host. Later releases add optional fields. */
const facts = z.object({
  version: z.string(),
  os: z.string(),
  arch: z.string(),
  hostname: z.string(),
  kernel: z.string(),
  /** The task kinds that the agent performs, and the version of each. */
  kinds: z.record(z.string(), z.int()),
  capacity: z.object(capacityFields),
  engine: z
    .object({ version: z.string(), api: z.string(), driver: z.string().optional(), builder: z.string().optional() })
    .nullable(),
  addresses: z.array(z.string()).optional(),
  systemd: z.boolean().optional(),
  cgroup: z.int().optional(),
  /** Null: the program is not installed. */
  programs: z.record(z.string(), z.string().nullable()).optional(),
})
export type ServerFacts = z.output<typeof facts>
export const toldFields = { engineId, facts }

const about = { serverId: z.uuid() }

const nameClaim = (name: string) => ({ scope: 'serverName', key: name.normalize('NFKC').toLowerCase() })
const tokenClaims = (hash: string | null) => (hash === null ? [] : [{ scope: 'installToken', key: hash }])
const engineClaims = (engine: string | null) => (engine === null ? [] : [{ scope: 'serverEngine', key: engine }])
/** An installation has one local server. */
const kindClaims = (kind: (typeof SERVER_KINDS)[number]) =>
  kind === 'LOCAL' ? [{ scope: 'serverKind', key: kind }] : []

const declareEvents = eventsAbout(about, sealedForServer)
const events = declareEvents({
  ServerAdded: {
    fields: { kind: z.enum(SERVER_KINDS), ...serverFields },
    sentence: ({ serverId, kind, name }) => `added ${kind} server ${serverId} “${name}”`,
    takes: ({ kind, name }) => [nameClaim(name), ...kindClaims(kind)],
  },
  ServerChanged: {
    fields: { ...serverFields, formerName: internal(z.string()) },
    sentence: ({ serverId, name, cordoned }) =>
      `changed server ${serverId} “${name}”${cordoned ? ', which takes no new workload' : ''}`,
    takes: ({ name }) => [nameClaim(name)],
    releases: ({ formerName }) => [nameClaim(formerName)],
  },
  /** The former install token opens nothing from then on. */
  ServerInstallTokenIssued: {
    fields: { installTokenId, hash, formerHash: internal(z.string().nullable()), expiresAt: z.iso.datetime() },
    sentence: ({ serverId, expiresAt }) => `issued an install token of server ${serverId} until ${expiresAt}`,
    takes: ({ hash }) => tokenClaims(hash),
    releases: ({ formerHash }) => tokenClaims(formerHash),
  },
  ServerInstallCommandShown: {
    fields: { installTokenId },
    sentence: ({ serverId }) => `was shown the install command of server ${serverId}`,
  },
  /** The token of an agent that registered before is void. The install token is kept: its agent may repeat the call. */
  ServerRegistered: {
    fields: {
      registrationId: z.uuid(),
      installTokenId,
      /** X25519, base64url. Secrets for this agent are sealed to it. */
      publicKey: z.string(),
      tokenHash: hash,
      ...toldFields,
      formerEngineId: internal(engineId),
    },
    sentence: ({ serverId, registrationId, facts: { hostname } }) =>
      `registered the agent of server ${serverId} on ${hostname}, registration ${registrationId}`,
    strict: true,
    takes: ({ engineId }) => engineClaims(engineId),
    releases: ({ formerEngineId }) => engineClaims(formerEngineId),
  },
  /** The former token of the agent is void. */
  ServerTokenRotated: {
    fields: { tokenHash: hash, nth: z.int() },
    sentence: ({ serverId }) => `replaced the token of the agent of server ${serverId}`,
    strict: true,
  },
  ServerFactsChanged: {
    fields: { ...toldFields, formerEngineId: internal(engineId) },
    sentence: ({ serverId, facts: { version } }) => `noted what agent ${version} told of server ${serverId}`,
    takes: ({ engineId }) => engineClaims(engineId),
    releases: ({ formerEngineId }) => engineClaims(formerEngineId),
  },
  ServerWentOffline: {
    fields: { lastContactAt: z.iso.datetime() },
    sentence: ({ serverId, lastContactAt }) =>
      `noted that server ${serverId} is offline after its last contact at ${lastContactAt}`,
  },
  ServerCameBack: { fields: {}, sentence: ({ serverId }) => `noted that server ${serverId} is online again` },
  /** Two processes use one agent token. The server gets no work until its agent registers again. */
  ServerAgentConflicted: {
    fields: { run: z.uuid(), otherRun: z.uuid() },
    sentence: ({ serverId, run, otherRun }) =>
      `noted that two agents use the token of server ${serverId}: runs ${run} and ${otherRun}`,
  },
  /** The token of the agent is void. */
  ServerReset: {
    fields: { formerEngineId: internal(engineId) },
    sentence: ({ serverId }) => `reset server ${serverId}, which waits for its agent again`,
    strict: true,
    releases: ({ formerEngineId }) => engineClaims(formerEngineId),
  },
  /** From then on, the sealed data of the server reads ERASED. */
  ServerRemoved: {
    fields: { name: z.string(), formerHash: internal(z.string().nullable()), formerEngineId: internal(engineId) },
    sentence: ({ serverId, name }) => `removed server ${serverId} “${name}”`,
    strict: true,
    releases: ({ name, formerHash, formerEngineId }) => [
      nameClaim(name),
      ...tokenClaims(formerHash),
      ...engineClaims(formerEngineId),
    ],
  },
})

/** One stream for each server: it has one identity and one agent. */
export const serverEvents = stream('server', events)
