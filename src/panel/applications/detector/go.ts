/** Programs of Go. */
import { args, cmd, from, port, run, textOf } from './dockerfile.ts'
import type { Ecosystem } from './ecosystem.ts'

const USUAL_PORT = 8_080
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'
const COMMAND = /^cmd\/([\w-]+)\/$/

export const go: Ecosystem = (source, { baseImages, port: asked, buildArgs }) => {
  if (!source.has('go.mod')) return undefined
  const commands = source.entries.map((path) => COMMAND.exec(path)?.[1]).filter((name) => name !== undefined)
  const isInRoot = source.entries.some((path) => /^[\w-]+\.go$/.test(path))
  const path = isInRoot || commands.length === 0 ? '.' : `./cmd/${commands[0]}`
  const number = asked ?? USUAL_PORT
  const lines = [
    from(baseImages.go, 'build'),
    'WORKDIR /app',
    ...args(buildArgs),
    'ENV CGO_ENABLED=0',
    'COPY . .',
    run('go', 'build', '-o', '/out/app', path),
    from(baseImages['go-run']),
    `COPY --from=build ${CERTIFICATES} ${CERTIFICATES}`,
    'COPY --from=build /out/app /app',
    ...port(number),
    cmd('/app'),
  ]
  const notes = !isInRoot && commands.length > 1 ? [`Of ${commands.join(', ')} in cmd, the first is built.`] : []
  return { dockerfile: textOf(lines), port: number, notes }
}
