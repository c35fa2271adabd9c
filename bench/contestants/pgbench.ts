/** Postgres' own load generator with the statements of `bare`: what a client in C achieves with the server. */
import { spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { percentile } from '../../scripts/figures/spread.ts'
import type { Contestant, Latencies } from '../contestant.ts'
import { TYPE, dataText, metadataText } from '../event.ts'
import { WARM_UP_SECONDS } from '../measure.ts'
import { processorTime, spentEach } from '../processor.ts'
import type { ProcessorTime } from '../processor.ts'
import { APPEND, LOAD, bare } from './bare.ts'

/**
 * pgbench turns its variables into parameters, so the server prepares what it prepares for bare. The server
 * makes the names of new streams.
 */
const appended = (stream: string, revision: string, events: number): string =>
  [stream, revision, `:types${events}`, `:data${events}`, `:metadata${events}`].reduce(
    (text, value, nth) => text.replace(`$${nth + 1}`, () => value),
    APPEND,
  )

const SCRIPTS = {
  append1: `${appended(`'license-' || gen_random_uuid()::text`, '0', 1)};`,
  append3: `\\set revision :revision + 3\n${appended(`'license-' || :run::text || :client_id::text`, ':revision', 3)};`,
  load20: `\\set n random(0, :streams - 1)\n${LOAD.replace('$1', `'license-seed' || lpad(:n::text, 6, '0')`)};`,
}

/** An array as Postgres reads it. */
const array = (events: number, text: string): string =>
  `{${Array.from({ length: events }, () => JSON.stringify(text)).join(',')}}`

const VARIABLES = {
  revision: -3,
  ...Object.fromEntries(
    [1, 3].flatMap((events) => [
      [`types${events}`, array(events, TYPE)],
      [`data${events}`, array(events, dataText)],
      [`metadata${events}`, array(events, metadataText)],
    ]),
  ),
}

/**
 * Undefined if it is not installed. The one in Debian's PATH is a wrapper in Perl, so its own directories
 * come first.
 */
export function pgbenchProgram(): string | undefined {
  const inPath = (process.env['PATH'] ?? '').split(delimiter).map((directory) => join(directory, 'pgbench'))
  return [...globSync('/usr/lib/postgresql/*/bin/pgbench').toReversed(), ...inPath].find((file) => existsSync(file))
}

async function load(test: string, url: string, writers: number, seconds: number, streams: number): Promise<Latencies> {
  const script = Object.entries(SCRIPTS).find(([name]) => test.startsWith(`${name}x`))?.[1]
  if (script === undefined) throw new Error(`pgbench has no script for ${test}`)
  const directory = await mkdtemp(join(tmpdir(), 'daybook-pgbench-'))
  try {
    const file = join(directory, 'script.sql')
    await writeFile(file, script)
    const threads = Math.min(writers, availableParallelism())
    const how = ['-n', '-M', 'prepared', '-c', writers, '-j', threads, '-f', file].map(String)
    const ran = async (run: string, ...more: string[]): Promise<ProcessorTime | undefined> => {
      const variables = Object.entries({ ...VARIABLES, streams, run }).flatMap((each) => ['-D', each.join('=')])
      const before = processorTime()
      await pgbenchRuns([...how, ...variables, ...more], url, directory)
      return spentEach(before, processorTime(), 1)
    }
    // A new connection hashes a password, which takes as long as many appends. All other contestants connect
    // before the clock starts.
    const connecting = await ran('first', '-t', '1')
    const spent = await ran('timed', '-l', '-T', String(Math.ceil(WARM_UP_SECONDS + seconds)))
    const all = await answers(directory)
    return { ...counted(all, WARM_UP_SECONDS * 1_000), spent: spentEach(connecting, spent, all.length - writers) }
  } finally {
    await rm(directory, { recursive: true })
  }
}

function pgbenchRuns(args: readonly string[], url: string, cwd: string): Promise<void> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const env = {
    PATH: process.env['PATH'],
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: decodeURIComponent(password),
  }
  const child = spawn(pgbenchProgram()!, [...args, pathname.slice(1)], { cwd, env })
  let said = ''
  for (const output of [child.stdout, child.stderr]) output.on('data', (text) => (said += String(text)))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`pgbench failed: ${said}`))))
  })
}

interface Answer {
  /** In ms since the epoch. */
  readonly atMs: number
  readonly ms: number
}

/**
 * Each thread writes a log: client, transaction, its microseconds, script, and the time of the answer in
 * seconds and microseconds.
 */
async function answers(directory: string): Promise<Answer[]> {
  const logs = (await readdir(directory)).filter((name) => name.startsWith('pgbench_log'))
  const texts = await Promise.all(logs.map((name) => readFile(join(directory, name), 'utf8')))
  return texts
    .flatMap((text) => text.trim().split('\n'))
    .map((line) => line.split(' ').map(Number))
    .map(([, , us, , s, ofSecond]) => ({ atMs: s! * 1_000 + ofSecond! / 1_000, ms: us! / 1_000 }))
    .toSorted((one, other) => one.atMs - other.atMs)
}

/** As for all contestants, the warm-up is not counted. */
function counted(all: readonly Answer[], warmUpMs: number): Latencies {
  const from = all[0]!.atMs - all[0]!.ms + warmUpMs
  const within = all.filter(({ atMs }) => atMs > from)
  const times = within.map(({ ms }) => ms)
  const opsPerSecond = (within.length / (within.at(-1)!.atMs - from)) * 1_000
  return { opsPerSecond, p50Ms: percentile(times, 50), p99Ms: percentile(times, 99) }
}

export const pgbench: Contestant = { setup: bare.setup!, seed: bare.seed!, load }
