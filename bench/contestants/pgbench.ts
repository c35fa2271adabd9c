/** Postgres' own load generator with the floor's statements: what a client in C gets out of the server. */
import { spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { percentile } from '../../scripts/figures/spread.ts'
import type { Contestant, Latencies } from '../contestant.ts'
import { TYPE, dataText, metadataText } from '../event.ts'
import { bare } from './bare.ts'

const INSERT = `INSERT INTO event (stream, revision, type, data, metadata)`
const STREAM = `'license-' || gen_random_uuid()::text`
const SCRIPTS = {
  append1: `${INSERT} VALUES (${STREAM}, 1, '${TYPE}', :data, :metadata);`,
  append3: `${INSERT} SELECT s, n, '${TYPE}', :data, :metadata FROM (SELECT ${STREAM} AS s) AS one, generate_series(1, 3) AS n;`,
  load20: `\\set n random(0, :streams - 1)
SELECT revision, type, data, metadata FROM event WHERE stream = 'license-seed' || lpad((:n)::text, 6, '0') ORDER BY revision;`,
}

/** Undefined where it is not installed. Debian's in the PATH is a wrapper in Perl, so its own places come first. */
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
    const how = ['-n', '-l', '-M', 'prepared', '-c', writers, '-j', threads, '-T', Math.max(1, Math.round(seconds))]
    const variables = ['-D', `data=${dataText}`, '-D', `metadata=${metadataText}`, '-D', `streams=${streams}`]
    const opsPerSecond = await run([...how.map(String), ...variables, '-f', file], url, directory)
    const times = await latencies(directory)
    return { opsPerSecond, p50Ms: percentile(times, 50), p99Ms: percentile(times, 99) }
  } finally {
    await rm(directory, { recursive: true })
  }
}

function run(args: readonly string[], url: string, cwd: string): Promise<number> {
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
    child.on('close', () => {
      const [, rate] = /tps = ([\d.]+) \(without/.exec(said) ?? []
      if (rate === undefined) reject(new Error(`pgbench failed: ${said}`))
      else resolve(Number(rate))
    })
  })
}

/** Each thread writes a log: client, transaction, microseconds, … */
async function latencies(directory: string): Promise<number[]> {
  const logs = (await readdir(directory)).filter((name) => name.startsWith('pgbench_log'))
  const texts = await Promise.all(logs.map((name) => readFile(join(directory, name), 'utf8')))
  return texts.flatMap((text) => text.trim().split('\n')).map((line) => Number(line.split(' ')[2]) / 1_000)
}

export const pgbench: Contestant = { setup: bare.setup!, seed: bare.seed!, load }
