/** `npm run reference` writes the reference of routes, docs/reference, from the declarations. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { referencePages } from './reference/pages.ts'

const DIRECTORY = join(import.meta.dirname, '../docs/reference')

rmSync(DIRECTORY, { recursive: true, force: true })
for (const [path, text] of referencePages()) {
  const file = join(DIRECTORY, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
