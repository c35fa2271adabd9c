/** The process behind the bin: runs the command that its arguments name. */
import './cli/disable-inspector.ts'
import './cli/limit-garbage.ts'
import { commandLine } from './cli/command-line.ts'

process.exitCode = await commandLine(process.argv.slice(2))
