/** A registry on this machine with one package, and a project that depends on it. */
import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import type { Locked } from '../../scripts/supply/lock.ts'
import { scratchPath } from './scratch.ts'

export interface Offer {
  readonly name: string
  readonly version: string
  /** What a shell script prints; the package contains that script as a program called `node`. */
  readonly says: string
  /** The hash that the registry reports; by default the hash of the content. */
  readonly integrity?: string | undefined
  readonly publishedAt?: Date
}

/** @returns the registry's address, and the hash of the content */
export async function registryWith({ name, version, says, integrity, publishedAt = new Date(0) }: Offer) {
  const tarball = packed({ name, version, says })
  const hash = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) {
      response.end(tarball)
      return
    }
    const dist = { tarball: `${url}/${name}/-/${name}.tgz`, integrity: integrity ?? hash }
    const versions = { [version]: { name, version, bin: { node: 'bin/node' }, dist } }
    const time = { [version]: publishedAt.toISOString() }
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions, time }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  return { url, hash }
}

function packed({ name, version, says }: Pick<Offer, 'name' | 'version' | 'says'>): Buffer {
  const directory = scratchPath()
  mkdirSync(join(directory, 'package', 'bin'), { recursive: true })
  const manifest = { name, version, bin: { node: 'bin/node' } }
  writeFileSync(join(directory, 'package', 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(directory, 'package', 'bin', 'node'), `#!/bin/sh\necho ${says}\n`)
  chmodSync(join(directory, 'package', 'bin', 'node'), 0o755)
  execFileSync('tar', ['-czf', join(directory, 'package.tgz'), '-C', directory, 'package'])
  return readFileSync(join(directory, 'package.tgz'))
}

/** A directory with a package.json and a lock of this one package. */
export function projectWith({ name, version, integrity, optional }: Locked): string {
  const directory = scratchPath()
  mkdirSync(directory)
  const asked = { [optional ? 'optionalDependencies' : 'dependencies']: { [name]: version } }
  const root = { name: 'project', version: '1.0.0', ...asked }
  const locked = { version, integrity, optional, bin: { node: 'bin/node' } }
  const packages = { '': root, [`node_modules/${name}`]: locked }
  const lock = { name: 'project', version: '1.0.0', lockfileVersion: 3, requires: true, packages }
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ ...root, private: true }))
  writeFileSync(join(directory, 'package-lock.json'), JSON.stringify(lock))
  return directory
}

/** Runs `npm ci` in the directory, without the settings and cache of this machine. */
export async function npmCi(directory: string, registry: string): Promise<void> {
  const options = ['--ignore-scripts', '--no-audit', '--fetch-retries=0', `--cache=${join(directory, 'cache')}`]
  const args = ['ci', ...options, `--registry=${registry}`]
  await promisify(execFile)('npm', args, { cwd: directory, env: { PATH: process.env['PATH'], HOME: directory } })
}
