/** What the section of the registries asks of agents. */
import { z } from 'zod'
import { machineText } from '#kernel/lib/display-text'
import { uuid } from '#kernel/lib/uuid'
import { askKind, planKind } from './kind.ts'
import { LoginCheck } from './registry-login.ts'

/** Its secrets are the user name and the password of the registry. */
export const registriesLogin = askKind('registries.login', 1, {
  params: z.strictObject({ registryId: uuid, address: z.string().max(300), publicOnly: z.boolean() }),
  answer: LoginCheck,
  needs: [],
  waitMs: 10_000,
})

export const RegistryCredentials = z.strictObject({ username: z.string(), password: z.string() })

/** Less than the wait for the answer, so that the agent can still tell what has taken so long. */
export const LOGIN_MS = 8_000

/** The kind of the workload that a registry of the panel is. */
export const REGISTRY_WORKLOAD = 'REGISTRY'
export const REGISTRY_IMAGE = 'registry:2.8.3'
/**
 * Of docker.io/library/registry:2.8.3: the list of its manifests, one for each architecture. 2.8.3 is the last release of 2.8,
 * which Debian 12 packages too. A digest names the same content at all times, which a tag does not.
 */
export const REGISTRY_DIGEST = 'sha256:a3d8aaa63ed8681a604f1dea0aa03f100d5895b6a58ace528858a7b332415373'
/** The problem of a registry whose host does not have that image. */
export const IMAGE_MISSING = 'IMAGE_MISSING'

export const HOSTED_MAX = 100
export const ERASED_MAX = 1_000
const HOUR_MS = 3_600_000

const port = z.int().min(1_024).max(65_535)

const HostedRegistry = z.strictObject({
  registryId: uuid,
  projectId: uuid.nullable(),
  memoryMiB: z.int().min(1),
  cpuMillis: z.int().min(1),
  /** The one that it had. Absent: the agent takes a free one. */
  port: port.optional(),
  /** One line with a bcrypt hash, as `htpasswd -B` writes it. */
  htpasswd: z.string().regex(/^[^:\p{Cc}]{1,255}:\$2b\$\d\d\$[./A-Za-z0-9]{53}$/u),
})
export type HostedRegistry = z.output<typeof HostedRegistry>

/** The registries that a server runs. Another one of the installation that runs there is removed, and its volume stays. */
export const registriesPlan = planKind('registries', 1, {
  body: z.strictObject({
    installation: z.string().min(1).max(100),
    registries: z.array(HostedRegistry).max(HOSTED_MAX),
    /** Removed registries whose volumes are removed, too. */
    erased: z.array(uuid).max(ERASED_MAX),
  }),
  result: z.strictObject({
    /** On the loopback address of the host. */
    ports: z.array(z.strictObject({ registryId: uuid, port })).max(HOSTED_MAX),
    problems: z
      .array(z.strictObject({ registryId: uuid, code: z.string().max(64), message: machineText(500) }))
      .max(HOSTED_MAX + ERASED_MAX),
  }),
  needs: ['engine'],
  deadlineMs: HOUR_MS,
  runMs: 300_000,
})
export type RegistriesApplied = z.output<typeof registriesPlan.result>
