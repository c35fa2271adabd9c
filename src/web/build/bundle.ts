/** Builds the pages with Vite: what it writes is all that a service needs to serve them. */
import { hash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { build } from 'vite'
import type { InlineConfig, Plugin, Rolldown } from 'vite'
import { MANIFEST } from '#kernel/http/pages-bundle'
import type { PagesManifest } from '#kernel/http/pages-bundle'
import { SURFACES } from '../surfaces.ts'
import type { Surface } from '../surfaces.ts'
import { noticesOf } from './notices.ts'

const WEB = join(import.meta.dirname, '..')
const SHELL = join(WEB, 'shell')
/** Chrome 123, Firefox 128 and Safari 18 know light-dark(), nesting and popovers. */
const BROWSERS = ['chrome123', 'firefox128', 'safari18']
/** React's packages begin with "use client", which says nothing to a bundle for browsers: 11,000 lines of warnings. */
const UNNEEDED_WARNING = 'MODULE_LEVEL_DIRECTIVE'
const THEME = 'theme'

/** The argument of `import.meta.glob` in the entry of a surface. */
const ALL_PAGES = `['./*/*.tsx']`

const surfaceOf = (path: string): Surface | undefined => SURFACES.find(({ entry }) => path === join(WEB, entry))

/** Adds to each surface what reloads its pages. */
const RELOAD: Plugin = {
  name: 'reload',
  transform: (code, path) =>
    surfaceOf(path) ? `import ${JSON.stringify(join(SHELL, 'reload.ts'))}\n${code}` : undefined,
}

/** Each page is a file that is loaded by its path. What is no page is bundled with the pages that import it. */
const ONLY_PAGES: Plugin = {
  name: 'only-pages',
  enforce: 'pre',
  transform(code, path) {
    const surface = surfaceOf(path)
    if (!surface) return undefined
    if (!code.includes(ALL_PAGES)) throw new Error(`${path} has no ${ALL_PAGES}`)
    const files = Object.values(surface.pages).map(({ page }) => `./${page}.tsx`)
    return code.replace(ALL_PAGES, () => JSON.stringify([...new Set(files)]))
  },
}

/** `development`: with React's warnings, and readable. */
export type Mode = 'production' | 'development'

const viteConfig = (mode: Mode): InlineConfig => ({
  root: WEB,
  mode,
  plugins: [ONLY_PAGES, ...(mode === 'development' ? [RELOAD] : [])],
  configFile: false,
  envDir: false,
  publicDir: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    target: BROWSERS,
    // A data: address is refused by the policy of the pages.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    write: false,
    minify: mode === 'production',
    rolldownOptions: {
      input: {
        [THEME]: join(SHELL, 'theme.ts'),
        ...Object.fromEntries(SURFACES.map(({ name, entry }) => [name, join(WEB, entry)])),
      },
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
      onLog: (level, log, tell) => {
        if (log.code !== UNNEEDED_WARNING) tell(level, log)
      },
    },
  },
})

/**
 * Builds everything into an existing, empty folder.
 * @throws Error of the bundler for source that does not build, or a package that is missing
 */
export async function writeBundle(folder: string, mode: Mode): Promise<void> {
  const { output } = (await build(viteConfig(mode))) as Rolldown.RolldownOutput
  for (const file of output) await writeAsset(folder, file.fileName, file.type === 'chunk' ? file.code : file.source)
  const chunks = output.filter((file) => file.type === 'chunk')
  const manifest: PagesManifest = {
    theme: chunks.find(({ name, isEntry }) => isEntry && name === THEME)!.fileName,
    icon: await writeHashed(folder, 'icon', 'svg', await readFile(join(SHELL, 'icon.svg'), 'utf8')),
    notices: await writeHashed(folder, 'notices', 'txt', await noticesOf(chunks.flatMap(({ moduleIds }) => moduleIds))),
    surfaces: Object.fromEntries(SURFACES.map(({ name }) => [name, partsOf(name, chunks)])),
  }
  // The last file: a folder that has it is complete.
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`)
}

async function writeAsset(folder: string, path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), content)
}

async function writeHashed(folder: string, name: string, extension: string, text: string): Promise<string> {
  const path = `assets/${name}-${hash('sha256', text, 'base64url').slice(0, 8)}.${extension}`
  await writeAsset(folder, path, text)
  return path
}

/** What the shell of a surface loads before it shows anything. */
function partsOf(surface: string, chunks: readonly Rolldown.OutputChunk[]): PagesManifest['surfaces'][string] {
  const entry = chunks.find(({ name, isEntry }) => isEntry && name === surface)!
  const all = withImports(entry, new Map(chunks.map((chunk) => [chunk.fileName, chunk])))
  const styles = all.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
  const [module, ...preloads] = all.map(({ fileName }) => fileName)
  return { module: module!, preloads, styles: [...new Set(styles)] }
}

/** A chunk and all that it imports statically, each once. */
function withImports(
  first: Rolldown.OutputChunk,
  chunks: ReadonlyMap<string, Rolldown.OutputChunk>,
): Rolldown.OutputChunk[] {
  const found = new Set([first])
  for (const { imports } of found) for (const path of imports) found.add(chunks.get(path)!)
  return [...found]
}
