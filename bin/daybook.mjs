#!/usr/bin/env node
// Daybook needs Node 24 or newer, which runs TypeScript without compilation. A package for each platform
// contains it; an older Node only starts that one. This file must therefore run on Node 18. A newer Node
// replaces itself by one with the right flags and variables, which Node and V8 read only at their start.
import { spawn } from 'node:child_process'
import { constants as system } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundledNode, nodePackage } from './bundled-node.mjs'

const NODE_MAJOR = 24
const SIGNALS = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']
const TERMINAL_SIGNALS = ['SIGINT', 'SIGQUIT']

const FLAGS = [
  '--disable-sigusr1',
  // In MiB. V8's own 64 keeps 100 MiB more under load; requests cost about the same.
  '--max-semi-space-size=16',
]

// Set at once, also in an older Node that only starts the bundled one: the signal would open Node's
// inspector (src/cli/disable-inspector.ts).
process.on('SIGUSR1', () => {})

// Node resolves import.meta.url through symbolic links, so this is the directory of the package however
// it was started.
const fromHere = (path) => fileURLToPath(new URL(path, import.meta.url))
const args = [...FLAGS, ...process.execArgv, fromHere('../src/main.ts'), ...process.argv.slice(2)]

// Node keeps the code that it has compiled: a later start does not load the TypeScript stripper, which takes 20 MiB.
// The cache lies beside the installed packages, where only the login that installed the program can write; a program
// in a read-only directory runs without it.
const env = {
  NODE_COMPILE_CACHE: fromHere('../node_modules/.cache/compiled'),
  // glibc makes up to eight arenas for each core, and each keeps memory that was freed.
  MALLOC_ARENA_MAX: '2',
  ...process.env,
}

if (major(process.versions.node) >= NODE_MAJOR) process.execve(process.execPath, [process.execPath, ...args], env)
else handOver()

function major(version) {
  return Number.parseInt(version, 10)
}

function handOver() {
  if (!nodePackage) return giveUp(`no package contains it for ${process.platform} on ${process.arch}`)
  const program = bundledNode()
  if (!program) return giveUp(`the package ${nodePackage}, which contains it, is not installed`)
  const withParent = new URL('with-parent.mjs', import.meta.url).href
  const child = spawn(program, ['--import', withParent, ...args], {
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of SIGNALS) process.on(signal, () => forward(child, signal))
  child.on('error', (error) => giveUp(error.message))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + system.signals[signal]))
}

/** A terminal sends its signals to the child as well; a second Ctrl-C would make the child exit at once. */
function forward(child, signal) {
  if (process.stdin.isTTY && TERMINAL_SIGNALS.includes(signal)) return
  child.kill(signal)
}

function giveUp(why) {
  console.error(
    `Daybook needs Node ${NODE_MAJOR} or newer; this is ${process.version}, and ${why}.\n` +
      `Install Node ${NODE_MAJOR} (https://nodejs.org), or run "npm ci" in ${dirname(fromHere('.'))}. npm omits the package ` +
      'if optional packages are disabled, or if its content does not match package-lock.json.',
  )
  process.exit(1)
}
