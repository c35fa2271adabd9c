/** The image of a registry, made of Debian's package from nothing else: no hub can be reached. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { REGISTRY_IMAGE } from '../../src/tasks/registries.ts'
import type { TestEngine } from './docker-engine.ts'

const PROGRAM = 'usr/bin/docker-registry'

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

/** The image that agents run, under its name. */
export async function loadRegistryImage({ api }: Pick<TestEngine, 'api'>): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'registry-image-'))
  try {
    execFileSync('apt-get', ['download', '--quiet', 'docker-registry'], { cwd: scratch, stdio: 'ignore' })
    const [file = ''] = readdirSync(scratch).filter((name) => name.endsWith('.deb'))
    const [all, root] = [join(scratch, 'all'), join(scratch, 'root')]
    execFileSync('dpkg-deb', ['-x', join(scratch, file), all])
    mkdirSync(join(root, 'tmp'), { recursive: true })
    for (const path of [PROGRAM, 'etc/docker/registry/config.yml']) copy(join(all, path), join(root, path))
    for (const path of librariesOf(join(all, PROGRAM))) copy(realpathSync(path), join(root, path))
    writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/:/none\n')
    const archive = execFileSync('tar', ['--create', '--directory', root, '.'], { maxBuffer: 256 * 2 ** 20 })
    const entry = `ENTRYPOINT ["/${PROGRAM}","serve","/etc/docker/registry/config.yml"]`
    const [repo, tag] = REGISTRY_IMAGE.split(':')
    const query = `fromSrc=-&repo=${repo}&tag=${tag}&changes=${encodeURIComponent(entry)}`
    await api('POST', `/images/create?${query}`, archive)
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to, { dereference: true })
}

const librariesOf = (program: string): string[] =>
  [...execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path!)
