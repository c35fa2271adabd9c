/** Files of images that servers get from the panel, in a directory of the operator: no registry has them, or none is reached. */
import { createReadStream } from 'node:fs'
import { access, constants, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { serviceKey } from '#kernel/lib/services'
import { ImageId, ImageName, Sha256 } from '../../tasks/engine.ts'

/** Beside each archive, with the same name. */
const ImageManifest = z.strictObject({
  name: ImageName,
  /** What the engine calls the image. */
  id: ImageId,
  /** Of the archive. */
  sha256: Sha256,
})

export interface ImageFile extends z.output<typeof ImageManifest> {
  /** In the directory. */
  readonly file: string
  readonly bytes: number
  read(): AsyncIterable<Uint8Array>
}

export interface ImageFiles {
  /** @returns undefined for an image without a file; the name of its file or its manifest if that cannot be used */
  find(name: string): Promise<ImageFile | { readonly unusable: string } | undefined>
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** @param directory read at each call, so that a new file needs no restart */
export function imageFilesIn(directory: string): ImageFiles {
  return {
    async find(name) {
      const base = name.replaceAll(/[/:]/g, '-')
      const [manifest, file] = [`${base}.json`, `${base}.tar`]
      const path = join(directory, file)
      const text = await readFile(join(directory, manifest), 'utf8').catch((error: unknown) =>
        isMissing(error) ? undefined : '',
      )
      if (text === undefined) return undefined
      const known = ImageManifest.safeParse(jsonOf(text)).data
      if (known?.name !== name) return { unusable: manifest }
      const isThere = await access(path, constants.R_OK).then(
        () => true,
        () => false,
      )
      if (!isThere) return { unusable: file }
      return { ...known, file, bytes: (await stat(path)).size, read: () => createReadStream(path) }
    },
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Provided if the operator has set PANEL_IMAGES_DIR. */
export const imageFiles = serviceKey<ImageFiles>('files of images', { find: async () => undefined })
