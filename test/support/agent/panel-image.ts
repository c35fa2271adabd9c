/** Images of tiny panels, as files that an engine loads: a real program answers GET /api/health, or never does. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Why none can be made here; undefined: they can. */
export const noPanelImage: string | undefined = (() => {
  try {
    execFileSync('apt-cache', ['show', 'busybox-static'], { stdio: ['ignore', 'ignore', 'ignore'] })
    return undefined
  } catch {
    return 'no package busybox-static'
  }
})()

const SCRIPT = `
if [ "$1 $2" = "panel migrate" ]; then echo "$VERSION $OPERATOR" >> /data/migrations; exit $MIGRATE; fi
trap 'exit 0' TERM
if [ "$READY" = yes ]; then /bin/busybox httpd -f -p 4000 -h /www & else /bin/busybox sleep 1000 & fi
wait
`

export interface PanelImage {
  /** As `docker save` writes it. */
  readonly file: Buffer
  readonly name: string
  readonly sha256: string
}

interface Behavior {
  readonly ready?: 'yes' | 'no'
  /** The exit code of the migration. */
  readonly migrate?: number
  readonly labels?: Readonly<Record<string, string>>
  /** Whether the engine asks the program itself if it serves. */
  readonly isChecked?: boolean
}

const HEALTH = ['CMD', '/bin/busybox', 'wget', '-q', '-O', '/dev/null', 'http://127.0.0.1:4000/api/health']
const NS_PER_MS = 1_000_000
const Healthcheck = { Test: HEALTH, Interval: 300 * NS_PER_MS, Timeout: 2_000 * NS_PER_MS, Retries: 6 }

/** @param version it is served at /version.txt */
export function panelImages() {
  const scratch = mkdtempSync(join(tmpdir(), 'panel-image-'))
  execFileSync('apt-get', ['download', '--quiet', 'busybox-static'], { cwd: scratch, stdio: 'ignore' })
  const [deb = ''] = readdirSync(scratch).filter((name) => name.endsWith('.deb'))
  execFileSync('dpkg-deb', ['-x', join(scratch, deb), join(scratch, 'all')])
  return {
    make(
      version: string,
      { ready = 'yes', migrate = 0, labels = { 'daybook.platform': 'daybook' }, isChecked = false }: Behavior = {},
    ): PanelImage {
      const [root, image] = [join(scratch, version, 'root'), join(scratch, version, 'image')]
      for (const path of ['bin', 'data', 'tmp', 'www/api']) mkdirSync(join(root, path), { recursive: true })
      mkdirSync(image)
      cpSync(join(scratch, 'all/bin/busybox'), join(root, 'bin/busybox'))
      writeFileSync(join(root, 'panel.sh'), SCRIPT)
      writeFileSync(join(root, 'www/api/health'), 'ok')
      writeFileSync(join(root, 'www/version.txt'), version)
      const tar = (from: string, to: string) =>
        execFileSync('tar', ['--create', '--file', to, '--directory', from, '.'])
      tar(root, join(image, 'layer.tar'))
      const layer = createHash('sha256')
        .update(readFileSync(join(image, 'layer.tar')))
        .digest('hex')
      const config = {
        Entrypoint: ['/bin/busybox', 'sh', '/panel.sh'],
        Cmd: ['licensing'],
        Env: ['PATH=/bin', `VERSION=${version}`, `READY=${ready}`, `MIGRATE=${migrate}`],
        ExposedPorts: { '4000/tcp': {} },
        Volumes: { '/data': {} },
        Labels: labels,
        ...(isChecked && { Healthcheck }),
      }
      const rootfs = { type: 'layers', diff_ids: [`sha256:${layer}`] }
      const name = `panel:${version}`
      writeFileSync(join(image, 'config.json'), JSON.stringify({ architecture: 'amd64', os: 'linux', config, rootfs }))
      const manifest = [{ Config: 'config.json', RepoTags: [name], Layers: ['layer.tar'] }]
      writeFileSync(join(image, 'manifest.json'), JSON.stringify(manifest))
      tar(image, join(scratch, `${version}.tar`))
      const file = readFileSync(join(scratch, `${version}.tar`))
      return { file, name, sha256: createHash('sha256').update(file).digest('hex') }
    },
    remove: () => rmSync(scratch, { recursive: true }),
  }
}
