import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Readable by its owner alone. A reader sees the former or the new text, also after a loss of power. */
export async function writeSecretFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.new`
  const file = await open(temporary, 'w', 0o600)
  try {
    await file.chmod(0o600)
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
  const directory = await open(dirname(path), 'r')
  await directory.sync().finally(() => directory.close())
}
