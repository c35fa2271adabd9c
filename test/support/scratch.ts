import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'
import { scratchBase } from './scratch-base.ts'

const newPath = (): string => join(scratchBase, `daybook-scratch-${randomBytes(6).toString('hex')}`)
const remove = (path: string): void => rmSync(path, { recursive: true, force: true })

/** A path that does not exist yet and is removed after the test. */
export function scratchPath(): string {
  const path = newPath()
  onTestFinished(() => remove(path))
  return path
}

/** A directory that is removed after all tests of the file. */
export function scratchOfFile(): string {
  const path = newPath()
  mkdirSync(path)
  afterAll(() => remove(path))
  return path
}

/** As `scratchPath`, of a directory that is there. */
export function scratchDirectory(): string {
  const path = scratchPath()
  mkdirSync(path)
  return path
}
