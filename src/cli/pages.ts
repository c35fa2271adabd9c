import { resolve } from 'node:path'
import { buildInto } from '../web/build.ts'

/** Builds the pages for production: PAGES_DIR of the services names the directory. */
export async function buildPages([dir]: readonly string[]): Promise<number> {
  if (dir === undefined) {
    console.error('Usage: daybook pages DIR')
    return 2
  }
  const path = resolve(dir)
  await buildInto(path)
  console.log(`The pages are in ${path}. Set PAGES_DIR to this directory for each service.`)
  return 0
}
