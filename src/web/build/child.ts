/** The process that builds the pages into the folder of its first argument: its memory is freed when it ends. */
import { writeBundle } from './bundle.ts'
import type { Mode } from './bundle.ts'

const [folder, mode] = process.argv.slice(2)
await writeBundle(folder!, mode as Mode)
