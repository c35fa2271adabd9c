/** The container of a registry. What the panel says changes nothing of it but its limits, its port and its login. */
import { availableParallelism } from 'node:os'
import { LABELS } from '../../tasks/labels.ts'
import { REGISTRY_IMAGE, REGISTRY_WORKLOAD } from '../../tasks/registries.ts'
import type { HostedRegistry } from '../../tasks/registries.ts'

const MIB = 1_048_576
const NANOS_PER_MILLI = 1_000_000
const MILLIS_PER_CPU = 1_000
const PROCESSES_MAX = 256
const INNER_PORT = '5000/tcp'

/** Registries alone are in it, those of all panels of the host. So it has no label of an installation, and is not reaped. */
export const NETWORK = 'daybook-registries'
export const NETWORK_LABELS = { [LABELS.platform]: 'registries' }
/** The volume of the registry. */
export const DATA_PATH = '/var/lib/registry'
/** Beside the images, since the rest of the container cannot be written. */
export const LOGIN_FILE = 'htpasswd'
/** Tells what the container was made from. */
export const SPEC_LABEL = 'daybook.spec'

/** Of the container, and of its volume. */
export const nameOf = (registryId: string): string => `daybook-registry-${registryId}`
export const workloadOf = (registryId: string): string => `${REGISTRY_WORKLOAD}/${registryId}`

const ENVIRONMENT = {
  REGISTRY_HTTP_ADDR: '0.0.0.0:5000',
  REGISTRY_STORAGE_FILESYSTEM_ROOTDIRECTORY: `${DATA_PATH}/data`,
  REGISTRY_STORAGE_DELETE_ENABLED: 'true',
  REGISTRY_AUTH: 'htpasswd',
  REGISTRY_AUTH_HTPASSWD_REALM: 'Registry',
  REGISTRY_AUTH_HTPASSWD_PATH: `${DATA_PATH}/${LOGIN_FILE}`,
}

export const labelsOf = (installation: string, { registryId, projectId }: HostedRegistry): Record<string, string> => ({
  [LABELS.installation]: installation,
  [LABELS.workload]: workloadOf(registryId),
  ...(projectId !== null && { [LABELS.project]: projectId }),
})

/** Source: Docker Engine API 1.41, ContainerCreate. */
export const containerOf = (registry: HostedRegistry, labels: Record<string, string>, port: number): object => ({
  Image: REGISTRY_IMAGE,
  Env: Object.entries(ENVIRONMENT).map(([name, value]) => `${name}=${value}`),
  Labels: labels,
  ExposedPorts: { [INNER_PORT]: {} },
  HostConfig: {
    Memory: registry.memoryMiB * MIB,
    NanoCpus: Math.min(registry.cpuMillis, availableParallelism() * MILLIS_PER_CPU) * NANOS_PER_MILLI,
    PidsLimit: PROCESSES_MAX,
    ReadonlyRootfs: true,
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges'],
    RestartPolicy: { Name: 'unless-stopped' },
    LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '3' } },
    NetworkMode: NETWORK,
    PortBindings: { [INNER_PORT]: [{ HostIp: '127.0.0.1', HostPort: String(port) }] },
    Mounts: [{ Type: 'volume', Source: nameOf(registry.registryId), Target: DATA_PATH }],
  },
})
