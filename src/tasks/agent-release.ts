/** A release of the agent: what a panel hands out, and what an agent accepts in its own place. */
import { z } from 'zod'

export const AGENT_ARCHITECTURES = ['amd64', 'arm64'] as const
export type AgentArchitecture = (typeof AGENT_ARCHITECTURES)[number]

/** Of a release, beside its executables. */
export const RELEASE_FILE = 'release.json'
/** Of a compressed executable. */
const EXECUTABLE_BYTES_MAX = 512 * 1_024 * 1_024

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
/** Ed25519, base64url. */
const signature = z.base64url().length(86)
const version = z
  .string()
  .max(64)
  .regex(/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/)

const Executable = z.strictObject({
  sha256,
  signature,
  /** In the folder of the release. */
  file: z.string().regex(/^[a-z0-9][a-z0-9.-]{0,99}$/),
  bytes: z.int().min(1).max(EXECUTABLE_BYTES_MAX),
})
export const AgentRelease = z.strictObject({
  version,
  executables: z.partialRecord(z.enum(AGENT_ARCHITECTURES), Executable),
})
export type AgentRelease = z.output<typeof AgentRelease>
