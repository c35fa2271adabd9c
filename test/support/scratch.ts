import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { scratchBase } from './scratch-base.ts'

/** A path that does not exist yet and is removed after the test. */
export function scratchPath(): string {
  const path = join(scratchBase, `daybook-scratch-${randomBytes(6).toString('hex')}`)
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}
