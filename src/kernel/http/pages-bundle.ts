/** Built pages in a folder: a manifest, and the assets that it and they name. */
import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { CachedRepresentation } from './cached-representation.ts'

export const MANIFEST = 'pages.json'
export const ASSETS = 'assets'

const path = z.string().regex(/^assets\/[\w.-]+$/)
const manifest = z.object({
  /** Runs before the first paint. */
  theme: path,
  icon: path,
  /** The licenses of the packages that the bundle contains. */
  notices: path,
  /** By name: what the shell of a surface loads. */
  surfaces: z.record(
    z.string(),
    z.object({ module: path, preloads: z.array(path).readonly(), styles: z.array(path).readonly() }),
  ),
})
export type PagesManifest = z.output<typeof manifest>

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
}
export const ASSET_TYPES = Object.values(CONTENT_TYPES)

export interface Asset {
  readonly contentType: string
  readonly kept: CachedRepresentation
}

export interface PagesBundle extends PagesManifest {
  /** By file name. */
  readonly assets: ReadonlyMap<string, Asset>
}

/** Whether a build has finished in the folder. */
export const hasBundle = (folder: string): boolean => existsSync(join(folder, MANIFEST))

/**
 * Reads all of it into memory: the folder may be removed afterwards.
 * @throws Error if the folder holds no pages, or a file of another type
 */
export async function readBundle(folder: string): Promise<PagesBundle> {
  const read = manifest.parse(JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')))
  const names = await readdir(join(folder, ASSETS))
  const assets = names.map(async (name) => [name, await readAsset(join(folder, ASSETS, name))] as const)
  return { ...read, assets: new Map(await Promise.all(assets)) }
}

async function readAsset(file: string): Promise<Asset> {
  const contentType = CONTENT_TYPES[file.slice(file.lastIndexOf('.') + 1)]
  if (contentType === undefined) throw new Error(`The asset ${file} has no known content type`)
  return { contentType, kept: new CachedRepresentation(await readFile(file, 'utf8')) }
}
