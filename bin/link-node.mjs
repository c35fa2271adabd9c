// Runs at the end of `npm ci`. npm 10 links the program `node` of the package for this platform. Then
// it removes the packages for other platforms, and with them the link, because their program has the
// same name. npm scripts find Node by this link.
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundledNode } from './bundled-node.mjs'

const program = bundledNode()
const link = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules', '.bin', 'node')

if (program && !existsSync(link)) {
  mkdirSync(dirname(link), { recursive: true })
  rmSync(link, { force: true })
  symlinkSync(relative(dirname(link), program), link)
}
