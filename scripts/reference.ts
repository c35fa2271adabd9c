/** `npm run reference` writes the reference of routes, docs/reference, and the error codes that services show. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { referencePages, servedErrorCodes } from './reference/pages.ts'

const DIRECTORY = join(import.meta.dirname, '../docs/reference')

const ERROR_CODES = join(import.meta.dirname, '../src/composition/error-codes.json')

rmSync(DIRECTORY, { recursive: true, force: true })
for (const [path, text] of referencePages()) {
  const file = join(DIRECTORY, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
writeFileSync(ERROR_CODES, `${JSON.stringify(servedErrorCodes(), undefined, 2)}\n`)
