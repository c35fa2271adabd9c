/** Keeps the pages built: once for each state of their sources and packages, in a process of its own. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { hasBundle } from '#kernel/http/pages-bundle'
import { makeDirectory } from '#kernel/lib/directories'
import type { Mode } from './build/bundle.ts'

const ROOT = join(import.meta.dirname, '../..')
/** All that the pages are made of: the lock names the packages by their hash. */
const SOURCES = ['src/web', 'src/api-client', 'tsconfig.json', 'package-lock.json']
const CHILD = join(import.meta.dirname, 'build/child.ts')
const WITH_PARENT = join(ROOT, 'bin/with-parent.mjs')
/** Of the packages of the pages one is enough to ask for: npm installs all optional packages or none. */
const PACKAGES = ['vite', 'react']
const OWNER_ONLY = 0o700
/** The umask is subtracted. */
const READABLE = 0o777
const PART = '.part'
/** A build takes some seconds. An older lock is left from a process that was killed. */
const LOCK_LEFT_MS = 60_000
const LOOK_AGAIN_MS = 50

const NOT_INSTALLED = 'The packages of the pages are not installed: run "npm ci --include=optional"'

/** @returns the name of the folder for what the pages are made of now */
export function pagesKey(root = ROOT): string {
  const sum = createHash('sha256')
  for (const path of SOURCES.flatMap((source) => filesIn(root, source)))
    sum
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  return sum.digest('hex').slice(0, 32)
}

function filesIn(root: string, path: string): string[] {
  const absolute = join(root, path)
  if (!existsSync(absolute)) return []
  if (path.endsWith('.json')) return [path]
  return readdirSync(absolute, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted()
}

/** Builds into a folder that exists and is empty. */
export type Build = (folder: string, signal?: AbortSignal) => Promise<void>

export interface EnsureBuiltOptions {
  readonly key?: string
  readonly build?: Build
  /** Ends the build: then it fails. */
  readonly signal?: AbortSignal
  /** Called at once if the pages must be built. */
  readonly onBuild?: () => void
}

/**
 * Builds the pages unless `<dir>/<key>` holds them, and removes older ones. Two processes build once.
 * @returns that folder: it is complete
 * @throws Error for the operator if packages are missing or the pages do not build
 */
export async function ensureBuilt(
  dir: string,
  { key = pagesKey(), build = buildPages, signal, onBuild }: EnsureBuiltOptions = {},
): Promise<string> {
  const folder = join(dir, key)
  if (existsSync(folder)) return folder
  onBuild?.()
  await makeDirectory(dir, OWNER_ONLY)
  return withLock(join(dir, 'build.lock'), async () => {
    if (existsSync(folder)) return folder
    await removeOthers(dir)
    await buildWhole(folder, build, signal)
    return folder
  })
}

/** The folder is there when it is complete: an interrupted build leaves a part beside it. */
async function buildWhole(folder: string, build: Build, signal?: AbortSignal): Promise<void> {
  const part = `${folder}${PART}`
  await rm(part, { recursive: true, force: true })
  await mkdir(part)
  try {
    await build(part, signal)
    await rm(folder, { recursive: true, force: true })
    await rename(part, folder)
  } catch (error) {
    await rm(part, { recursive: true, force: true })
    throw error
  }
}

/**
 * Builds the pages for production, in place of those that the directory holds.
 * @throws Error for the operator as `ensureBuilt`, and if the directory holds something else
 */
export async function buildInto(dir: string, build: Build = buildPages): Promise<void> {
  if (existsSync(dir) && !hasBundle(dir) && readdirSync(dir).length > 0)
    throw new Error(`${dir} is not empty, and what it contains are not pages: choose another directory`)
  await makeDirectory(dirname(dir), READABLE)
  await buildWhole(dir, build)
}

/** Folders of other states, and parts of builds that were interrupted. A service has read its pages into memory. */
async function removeOthers(dir: string): Promise<void> {
  const folders = (await readdir(dir)).filter((name) => /^[0-9a-f]{32}/.test(name))
  await Promise.all(folders.map((name) => rm(join(dir, name), { recursive: true, force: true })))
}

async function withLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  while (!(await takeLock(path))) {
    await pause(LOOK_AGAIN_MS)
    if (await isLeftBehind(path)) await rm(path, { force: true })
  }
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

const takeLock = (path: string): Promise<boolean> =>
  writeFile(path, String(process.pid), { flag: 'wx' }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )

async function isLeftBehind(path: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(path)
    const pid = Number(await readFile(path, 'utf8'))
    // Without a number, its process is about to write it.
    return Date.now() - mtimeMs > LOCK_LEFT_MS || (pid > 0 && !isAlive(pid))
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const buildPages: Build = (folder, signal) => buildIn('production', folder, signal)

/** With React's warnings, and pages that reload themselves. */
export const buildForDevelopment: Build = (folder, signal) => buildIn('development', folder, signal)

/**
 * Builds in a process of its own, which ends with this one and sees no variable of the environment.
 * @throws Error for the operator
 */
async function buildIn(mode: Mode, folder: string, signal?: AbortSignal): Promise<void> {
  if (!PACKAGES.every(isInstalled)) throw new Error(NOT_INSTALLED)
  const child = spawn(process.execPath, ['--disable-sigusr1', '--import', WITH_PARENT, CHILD, folder, mode], {
    env: { NODE_ENV: mode },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    signal,
  })
  const complaints: string[] = []
  child.stderr!.on('data', (text) => complaints.push(String(text)))
  let failure: Error | undefined
  child.once('error', (error) => (failure = error))
  // A child that was told to end may still write.
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (failure) throw failure
  if (code !== 0 || !hasBundle(folder)) throw new Error(`The pages do not build:\n${complaints.join('').trim()}`)
}

function isInstalled(name: string): boolean {
  try {
    return import.meta.resolve(name) !== ''
  } catch {
    return false
  }
}
