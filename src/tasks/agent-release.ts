/** A release of the agent: what a panel hands out, and what an agent accepts in its own place. */
import { sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { z } from 'zod'

export const AGENT_ARCHITECTURES = ['amd64', 'arm64'] as const
export type AgentArchitecture = (typeof AGENT_ARCHITECTURES)[number]

/** Of a release, beside its executables. */
export const RELEASE_FILE = 'release.json'
/** Of a compressed executable, and of what it is after decompression. */
export const EXECUTABLE_BYTES_MAX = 512 * 1_024 * 1_024

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

export const signedFields = { version, sha256, signature }

interface Signed {
  readonly version: string
  readonly arch: AgentArchitecture
  readonly sha256: string
}

/** No field has a line break. */
const signedBytes = ({ version, arch, sha256 }: Signed): Buffer =>
  Buffer.from(['daybook agent release 1', version, arch, sha256].join('\n'))

/** @param key Ed25519, private */
export const signExecutable = (signed: Signed, key: KeyObject): string =>
  sign(null, signedBytes(signed), key).toString('base64url')

/** @param key Ed25519, public */
export const isSignedRelease = (signed: Signed, signature: string, key: KeyObject): boolean =>
  verify(null, signedBytes(signed), key, Buffer.from(signature, 'base64url'))
