/** `npm run client` writes the operations of both services, below `src/api-client`, from the routes. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientFiles } from './client/files.ts'
import { DOCUMENTED, documentOf, formsOf } from './reference/documents.ts'

const DIRECTORY = join(import.meta.dirname, '../src/api-client')

for (const service of DOCUMENTED) {
  const files = await clientFiles(service.name, documentOf(service), formsOf(service))
  const folder = join(DIRECTORY, service.name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const [path, text] of files) writeFileSync(join(DIRECTORY, path), text)
}
