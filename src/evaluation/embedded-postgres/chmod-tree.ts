import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Lets all users read a tree, and run the programs that its owner may run, whatever the umask was at
 * installation.
 */
export function chmodTree(directory: string): void {
  chmodSync(directory, 0o755)
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) chmodTree(path)
    else if (entry.isFile()) chmodSync(path, (statSync(path).mode & 0o100) !== 0 ? 0o755 : 0o644)
  }
}
