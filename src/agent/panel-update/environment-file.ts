/** The file of variables of a Compose project: a later `docker compose up` runs the version that was installed. */
import { lstat, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Labels } from '../engine/owners.ts'

/** Of the project that the container is part of. Source: Docker Compose, labels of containers. */
const WORKING_DIRECTORY = 'com.docker.compose.project.working_dir'
const FILE_BYTES_MAX = 1_048_576

export const IMAGE_VARIABLE = 'DAYBOOK_IMAGE'
/** SHA-256 in hex of the file that the panel was installed from. The panel compares releases with it. */
export const RELEASE_VARIABLE = 'RELEASE_SHA256'

export type Variables = Readonly<Record<typeof IMAGE_VARIABLE | typeof RELEASE_VARIABLE, string>>

const lineOf = (variable: string): RegExp => new RegExp(`^${variable}=.*$`, 'm')

/** Changes the variables where they are set, and nothing else. @returns whether the file names the image now */
export async function setVariables(labels: Labels, variables: Variables): Promise<boolean> {
  const directory = labels?.[WORKING_DIRECTORY]
  if (!directory?.startsWith('/')) return false
  const path = join(directory, '.env')
  const seen = await lstat(path).catch(() => undefined)
  if (!seen?.isFile() || seen.size > FILE_BYTES_MAX) return false
  const text = await readFile(path, 'utf8')
  if (!lineOf(IMAGE_VARIABLE).test(text)) return false
  const changed = Object.entries(variables).reduce(
    (former, [variable, value]) => former.replace(lineOf(variable), () => `${variable}=${value}`),
    text,
  )
  const temporary = `${path}.daybook`
  await rm(temporary, { force: true })
  // The directory may belong to another account: a link that is put there is not followed.
  const file = await open(temporary, 'wx', seen.mode)
  try {
    await file.chmod(seen.mode)
    await file.chown(seen.uid, seen.gid)
    await file.writeFile(changed)
    await file.sync()
    await rename(temporary, path)
  } finally {
    await file.close()
    await rm(temporary, { force: true })
  }
  return true
}
