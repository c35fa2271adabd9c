#!/usr/bin/env node
// Daybook needs Node 24 or newer, which runs its TypeScript as it is. A package for each platform brings one along; an older Node that
// finds itself here only hands over to it. This file therefore has to be understood by Node 18.
import { spawn } from 'node:child_process'
import { constants as system } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundledNode, nodePackage } from './bundled-node.mjs'

const NODE_MAJOR = 24
const SIGNALS = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']
const TERMINAL_SIGNALS = ['SIGINT', 'SIGQUIT']

// At once, and also in an older Node that hands over: this signal would open Node's inspector (src/cli/disable-inspector.ts).
process.on('SIGUSR1', () => {})

// Node resolves import.meta.url through symbolic links, so this is the package's own place however it was called.
const main = new URL('../src/main.ts', import.meta.url)

if (major(process.versions.node) >= NODE_MAJOR) await import(main.href)
else handOver()

function major(version) {
  return Number.parseInt(version, 10)
}

function handOver() {
  if (!nodePackage) return giveUp(`no package brings one for ${process.platform} on ${process.arch}`)
  const program = bundledNode()
  if (!program) return giveUp(`the package ${nodePackage}, which brings one, is not installed`)
  const withParent = new URL('with-parent.mjs', import.meta.url).href
  const args = [
    ...process.execArgv,
    '--disable-sigusr1',
    '--import',
    withParent,
    fileURLToPath(main),
    ...process.argv.slice(2),
  ]
  const child = spawn(program, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const signal of SIGNALS) process.on(signal, () => forward(child, signal))
  child.on('error', (error) => giveUp(error.message))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + system.signals[signal]))
}

/** What is typed in a terminal reaches the child by itself, and a second Ctrl-C would say "at once" to it. */
function forward(child, signal) {
  if (process.stdin.isTTY && TERMINAL_SIGNALS.includes(signal)) return
  child.kill(signal)
}

function giveUp(why) {
  console.error(
    `Daybook needs Node ${NODE_MAJOR} or newer; this is ${process.version}, and ${why}.\n` +
      `Install Node ${NODE_MAJOR} (https://nodejs.org), or run "npm ci" in ${dirname(dirname(fileURLToPath(main)))}: it leaves the package out ` +
      'when it is told to omit optional ones, and when the content is not what package-lock.json says.',
  )
  process.exit(1)
}
