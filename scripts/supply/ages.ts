/** Whether the installed packages were published long enough ago for others to have examined them. */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const DAY_MS = 86_400_000
const MIB = 1_048_576
/** The files that `npm ci` reads. */
const FILES = ['package.json', 'package-lock.json', '.npmrc']
const INSTALLED = 'node_modules/.package-lock.json'

export interface Project {
  /** A directory with the packages installed. */
  readonly directory: string
  /** A registry of npm; by default the one that npm is set to. */
  readonly registry?: string
  readonly days: number
}

/**
 * Installs all packages once more, elsewhere, with an empty cache and with a limit on their age: npm then
 * asks the registry when each version was published. It fails for a required package that is younger, and
 * leaves out an optional one.
 * @returns the younger packages, as npm names them or by their path under node_modules; empty if there are
 * none
 */
export async function youngerThan({ directory, registry, days }: Project): Promise<string[]> {
  const copy = mkdtempSync(join(tmpdir(), 'daybook-ages-'))
  try {
    for (const file of FILES) if (existsSync(join(directory, file))) cpSync(join(directory, file), join(copy, file))
    const before = new Date(Date.now() - days * DAY_MS).toISOString()
    const args = ['ci', '--ignore-scripts', '--no-audit', `--before=${before}`, `--cache=${join(copy, 'cache')}`]
    const given = registry === undefined ? [] : [`--registry=${registry}`]
    await promisify(execFile)('npm', [...args, ...given], { cwd: copy, maxBuffer: 64 * MIB })
    const there = new Set(installedIn(copy))
    return installedIn(directory).filter((path) => !there.has(path))
  } catch (error) {
    const { stderr } = error as { stderr?: string }
    if (!stderr?.includes('ETARGET')) throw error
    return stderr.split('\n').filter((line) => line.includes('with a date before'))
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

const installedIn = (directory: string): string[] => {
  const { packages } = JSON.parse(readFileSync(join(directory, INSTALLED), 'utf8')) as { packages: object }
  return Object.keys(packages)
}
