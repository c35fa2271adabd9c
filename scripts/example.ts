/**
 * `npm run example [-- DIRECTORY] [--port PORT]`: makes a repository of `examples/hello` in a directory (default:
 * `.daybook/examples`) and serves it to this machine alone (default: port 3010). The next deployment fetches what was
 * committed there last.
 */
import { cpSync, existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { repositoryIn, serveGit } from '../test/support/git-server.ts'

const NAME = 'hello'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string', default: '3010' } },
})
const root = resolve(positionals[0] ?? '.daybook/examples')
const directory = join(root, NAME)

if (!existsSync(join(directory, '.git'))) {
  const repository = repositoryIn(directory)
  cpSync(join(import.meta.dirname, '../examples', NAME), directory, { recursive: true })
  repository.commit('Say hello')
}
const { url } = await serveGit(root, { port: Number(values.port) })
console.log(`The repository in ${directory} is served at ${url(NAME)}, until Ctrl-C.`)
