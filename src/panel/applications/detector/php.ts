/** Sites of PHP behind Apache, with Composer where they use it. */
import { args, cmd, from, port, run, textOf } from './dockerfile.ts'
import type { Ecosystem } from './ecosystem.ts'

const USUAL_PORT = 80
const SITE = '/etc/apache2/sites-available/000-default.conf'
const ROOT = '/var/www/html'

const replaced = (from: string, to: string, file: string): string => run('sed', '-i', `s!${from}!${to}!`, file)

export const php: Ecosystem = (source, { baseImages, port: asked, buildArgs }) => {
  const hasComposer = source.has('composer.json')
  const isInPublic = source.has('public/index.php')
  if (!hasComposer && !isInPublic && !source.has('index.php')) return undefined
  const number = asked ?? USUAL_PORT
  const install = ['composer', 'install', '--no-dev', '--no-interaction', '--no-scripts', '--ignore-platform-reqs']
  const vendor = [from(baseImages.composer, 'vendor'), 'WORKDIR /app', ...args(buildArgs), 'COPY . .', run(...install)]
  const lines = [
    ...(hasComposer ? vendor : []),
    from(baseImages.php),
    run('a2enmod', 'rewrite'),
    ...(isInPublic ? [replaced(`DocumentRoot ${ROOT}$`, `DocumentRoot ${ROOT}/public`, SITE)] : []),
    replaced('^Listen 80$', `Listen ${number}`, '/etc/apache2/ports.conf'),
    replaced('[*]:80>', `*:${number}>`, SITE),
    `COPY ${hasComposer ? '--from=vendor /app' : '.'} ${ROOT}`,
    ...port(number),
    cmd('apache2-foreground'),
  ]
  const notes = [`Apache serves ${isInPublic ? 'the directory public' : 'the directory'}.`]
  return { dockerfile: textOf(lines), port: number, notes }
}
