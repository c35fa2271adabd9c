/** A release whose executables run the agent from its source. */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { newEd25519, privateKeyOf } from '#kernel/credentials/jws'
import { shellQuoted } from '#kernel/lib/shell-quote'
import { AGENT_ARCHITECTURES, RELEASE_FILE, signExecutable } from '../../../src/tasks/agent-release.ts'
import type { AgentRelease } from '../../../src/tasks/agent-release.ts'

const PROCESS = join(import.meta.dirname, 'release-process.ts')

/** deaf: it runs and never reaches the panel. run, self-test: it ends at once when it is to do that. */
export type Fault = 'none' | 'deaf' | 'run' | 'self-test'

export const testReleaseKey = newEd25519()

interface TestRelease {
  readonly version: string
  readonly fault?: Fault
  /** Default: the one that is built into the executables. */
  readonly signer?: ReturnType<typeof newEd25519>
}

/** Writes it into the directory, in place of the one before. */
export function writeTestRelease(
  directory: string,
  { version, fault = 'none', signer = testReleaseKey }: TestRelease,
): AgentRelease {
  mkdirSync(directory, { recursive: true })
  const words = [process.execPath, PROCESS, version, testReleaseKey.x, fault].map(shellQuoted).join(' ')
  // What starts them passes little of its environment on, and without the cache a start takes twice the time.
  const { NODE_COMPILE_CACHE: cache } = process.env
  const keepsCompiled = cache === undefined ? '' : `export NODE_COMPILE_CACHE=${shellQuoted(cache)}\n`
  const executable = gzipSync(`#!/bin/sh\n${keepsCompiled}exec ${words} "$0" "$@"\n`)
  const sha256 = createHash('sha256').update(executable).digest('hex')
  const file = `${version}-${fault}.gz`
  writeFileSync(join(directory, file), executable)
  const executables = Object.fromEntries(
    AGENT_ARCHITECTURES.map((arch) => {
      const signature = signExecutable({ version, arch, sha256 }, privateKeyOf(signer))
      return [arch, { file, bytes: executable.length, sha256, signature }]
    }),
  ) as AgentRelease['executables']
  const release = { version, executables }
  writeFileSync(join(directory, RELEASE_FILE), JSON.stringify(release))
  return release
}
