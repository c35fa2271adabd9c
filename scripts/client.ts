/** `npm run client` writes the operations of both services, `src/api-client/{licensing,panel}.ts`, from the routes. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientModule } from './client/module.ts'
import { DOCUMENTED, documentOf, formsOf } from './reference/documents.ts'

const DIRECTORY = join(import.meta.dirname, '../src/api-client')

for (const service of DOCUMENTED) {
  const client = await clientModule(service.name, documentOf(service), formsOf(service))
  writeFileSync(join(DIRECTORY, `${service.name}.ts`), client)
}
