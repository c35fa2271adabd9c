/** The image of a registry, made of Debian's package from nothing else: no hub can be reached. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestEngine } from './docker-engine.ts'
import { freePort } from './free-port.ts'

const SCRIPT = fileURLToPath(new URL('../../scripts/images/registry.sh', import.meta.url))
const NAME = 'registry-2.8.3'

/** Why it cannot be made here; undefined: it can. */
export const noRegistryPackage: string | undefined = (() => {
  try {
    return execFileSync('apt-cache', ['show', 'docker-registry'], { stdio: ['ignore', 'pipe', 'ignore'] }).length > 0
      ? undefined
      : 'no package docker-registry'
  } catch {
    return 'no package docker-registry'
  }
})()

export interface RegistryImage {
  readonly archive: string
  readonly manifest: string
  readonly id: string
  readonly sha256: string
}

/** As an operator makes it for PANEL_IMAGES_DIR. */
export function makeRegistryImage(directory: string): RegistryImage {
  execFileSync('sh', [SCRIPT, directory], { stdio: 'ignore' })
  const manifest = join(directory, `${NAME}.json`)
  const { id, sha256 } = JSON.parse(readFileSync(manifest, 'utf8'))
  return { archive: join(directory, `${NAME}.tar`), manifest, id, sha256 }
}

/** The image that agents run, under its name. */
export async function loadRegistryImage({ api }: Pick<TestEngine, 'api'>): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'registry-image-'))
  try {
    await api('POST', '/images/load', readFileSync(makeRegistryImage(scratch).archive))
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

/** The program of the image on 127.0.0.1, where engines ask for no TLS. It asks for no login. */
export async function startRegistry(directory: string, { archive }: RegistryImage) {
  mkdirSync(directory, { recursive: true })
  const layer = execFileSync('tar', ['-xOf', archive, './layer.tar'], { maxBuffer: 256 * 2 ** 20 })
  execFileSync('tar', ['-x', '-C', directory, './usr'], { input: layer })
  const port = await freePort()
  const storage = { filesystem: { rootdirectory: join(directory, 'data') } }
  // YAML can be written as JSON.
  const config = { version: 0.1, storage, http: { addr: `127.0.0.1:${port}` } }
  writeFileSync(join(directory, 'config.yml'), JSON.stringify(config))
  const running = spawn(join(directory, 'usr/bin/docker-registry'), ['serve', 'config.yml'], {
    cwd: directory,
    stdio: 'ignore',
    env: {},
  })
  const untilMs = performance.now() + 10_000
  while (!(await fetch(`http://127.0.0.1:${port}/v2/`).catch(() => undefined)))
    if (performance.now() > untilMs) throw new Error('The registry did not start')
  return { port, stop: () => running.kill('SIGKILL') }
}
