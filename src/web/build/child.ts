/** The process that builds the pages into the folder of its argument: its memory is freed when it ends. */
import { writeBundle } from './bundle.ts'

await writeBundle(process.argv[2]!)
