/** The pages, built at most once for each state of their sources and kept from one run to the next. */
import { join } from 'node:path'
import { ensureBuilt } from '../../src/web/build.ts'
import { freePort } from './free-port.ts'

const KEPT = process.env['DAYBOOK_TEST_PAGES_DIR'] ?? join(import.meta.dirname, '../../node_modules/.cache/pages')

let built: Promise<string> | undefined

/** @returns the folder, for `pagesDir`. The first test that asks builds, and others wait for it. */
export const builtPages = (): Promise<string> => (built ??= ensureBuilt(KEPT))

/**
 * Options of a service whose pages a browser opens at `baseUrl`. Only there it is kept signed in.
 * @param host a name other than `localhost` ends in `.test`: over plain http, a browser takes fewer encodings from it and gives its pages
 *   neither locks nor a clipboard
 */
export async function withPages(host = 'localhost') {
  const port = await freePort()
  return { baseUrl: `http://${host}:${port}`, pagesDir: await builtPages() }
}
