/**
 * Event logs of earlier versions, one for each service and version, one stored event a line. Version 0.1.0 is
 * one file, `golden/<service>/0.1.0.ndjson`. Later versions are a folder with one file a section,
 * `golden/<service>/<version>/<section>.ndjson`, and `sections.json`, which has their order. A line of these has
 * no position and no revision: they follow from the order, so an event that is inserted changes no other line.
 * Beside each log are its keys, the shapes in which its events were declared, and its outcome. The outcome is
 * the state of every stream and the rows of every read model, unsealed. All people in the logs are invented, and
 * so is the key.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { StateCache } from '#kernel/commands/state-cache'
import { eventCodec } from '#kernel/events/codec'
import type { EventCodec } from '#kernel/events/codec'
import type { EventType } from '#kernel/events/event'
import type { EventStore, Json, RecordedEvent } from '#kernel/events/store-port'
import { projector } from '#kernel/projections/projector'
import { kyselyFor } from '#kernel/projections/read-database'
import type { ReadModel } from '#kernel/projections/read-model'
import { servicePool } from '#kernel/store/connection'
import { postgresStore } from '#kernel/store/postgres/postgres-store'
import { memoryKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'
import type { Vault } from '#kernel/vault/vault'
import { sections as licensingSections } from '#licensing/index'
import { sections as panelSections } from '#panel/index'
import type { Composition } from '../../src/composition/core.ts'
import * as licensing from '../../src/composition/licensing.ts'
import * as panel from '../../src/composition/panel.ts'

const DIRECTORY = join(import.meta.dirname, '../golden')

/** The key of these logs only. */
export const GOLDEN_KEK = createHash('sha256').update('The key of the golden logs').digest()

/**
 * An event's stored form without the time at which the database wrote the row. No consumer may depend on that
 * time.
 */
export type GoldenEvent = Omit<RecordedEvent, 'recordedAt'>

/** The parts of a service that replay a log. */
export interface GoldenService extends Pick<Composition, 'streams' | 'deciders' | 'readModels'> {
  readonly name: 'licensing' | 'panel'
  /** The names of its sections. */
  readonly sections: readonly string[]
  /** Streams without a decider, so that no code folds them. */
  readonly ruleless: readonly string[]
  /** Events after which a key was destroyed, and the field that names its subject. */
  readonly erasedBy: Readonly<Record<string, string>>
}

export const GOLDEN_SERVICES: readonly GoldenService[] = [
  {
    name: 'licensing',
    sections: licensingSections.map(({ name }) => name),
    streams: licensing.streams,
    deciders: licensing.deciders,
    readModels: licensing.readModels,
    ruleless: [
      'customerExports',
      'export',
      'licenseReads',
      'provisioningReplays',
      'shopLogins',
      'staffLogins',
      'invoice',
      'paymentNotices',
      'webhookAsks',
    ],
    erasedBy: { CustomerErased: 'customerId' },
  },
  {
    name: 'panel',
    sections: panelSections.map(({ name }) => name),
    streams: panel.streams,
    deciders: panel.deciders,
    readModels: panel.readModels,
    ruleless: ['userLogins', 'userLinkAsks'],
    erasedBy: {
      UserErased: 'userId',
      ProjectDeleted: 'projectId',
      TeamDeleted: 'teamId',
      ProjectMemberJoined: 'memberId',
      TeamMemberJoined: 'memberId',
      ServerRemoved: 'serverId',
      RegistryRemoved: 'registryId',
      ApplicationDeleted: 'applicationId',
    },
  },
]

export interface Shape {
  readonly version: number
  readonly sealed: readonly string[]
  readonly shown: readonly string[]
  readonly schema: unknown
}
export type Shapes = Readonly<Record<string, Shape>>

export interface GoldenLog {
  readonly version: string
  readonly events: readonly GoldenEvent[]
  /** The sections in their order, each with the number of its events. Absent: one file. */
  readonly sections?: readonly GoldenSection[]
  /** By subject, wrapped, base64. */
  readonly keys: Readonly<Record<string, string>>
  readonly shapes: Shapes
}

export interface GoldenSection {
  readonly name: string
  readonly events: number
}

/** The outcome of a log in today's code. */
export interface GoldenOutcome {
  /** By stream. */
  readonly states: Json
  /** By read model, in the order of their primary keys. */
  readonly rows: Json
}

type Whose = Pick<GoldenService, 'name'>
/** `0.2.0/keys.json`, or `0.1.0.keys.json` of the version that is one file. */
function path({ name }: Whose, version: string, part: string): string {
  const folder = join(DIRECTORY, name, version)
  return existsSync(`${folder}.ndjson`) ? `${folder}.${part}` : join(folder, part)
}
const read = (whose: Whose, version: string, part: string): any =>
  JSON.parse(readFileSync(path(whose, version, part), 'utf8'))
const write = (whose: Whose, version: string, part: string, value: unknown): void =>
  writeFileSync(path(whose, version, part), `${JSON.stringify(value, null, 2)}\n`)

/** Versions, oldest first. */
export const goldenVersions = ({ name }: Whose): string[] => {
  const versions = readdirSync(join(DIRECTORY, name)).flatMap((file) => /^\d+\.\d+\.\d+/.exec(file)?.[0] ?? [])
  return [...new Set(versions)].toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
}

export function goldenLog(whose: Whose, version: string): GoldenLog {
  const kept = { version, keys: read(whose, version, 'keys.json'), shapes: read(whose, version, 'shapes.json') }
  if (existsSync(path(whose, version, 'ndjson'))) return { ...kept, events: linesOf(path(whose, version, 'ndjson')) }
  const files = (read(whose, version, 'sections.json') as string[]).map((name) => ({
    name,
    lines: linesOf<StoredLine>(path(whose, version, `${name}.ndjson`)),
  }))
  return {
    ...kept,
    events: placed(files.flatMap(({ lines }) => lines)),
    sections: files.map(({ name, lines }) => ({ name, events: lines.length })),
  }
}

const linesOf = <Line = GoldenEvent>(file: string): Line[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : (JSON.parse(line) as Line)))

type StoredLine = Omit<GoldenEvent, 'position' | 'revision'>

/** Events with the positions and revisions that follow from their order. */
function placed(lines: readonly StoredLine[]): GoldenEvent[] {
  const revisions = new Map<string, number>()
  return lines.map((line, index) => {
    const revision = (revisions.get(line.stream) ?? 0) + 1
    revisions.set(line.stream, revision)
    return { position: index + 1, revision, ...line }
  })
}

/** @throws if the version is in the changelog: a released log never changes */
export function refuseReleased(version: string, changelog: string): void {
  if (changelog.split('\n').some((line) => /^## \[?([^\s\]]+)/.exec(line)?.[1] === version))
    throw new Error(`${version} is released: raise the version in package.json, its golden log is a new one`)
}

export function writeGoldenLog(whose: Whose, { version, events, sections = [], keys, shapes }: GoldenLog): void {
  const folder = join(DIRECTORY, whose.name, version)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  let first = 0
  for (const { name, events: count } of sections) {
    const lines = events
      .slice(first, first + count)
      .map(({ position: _position, revision: _revision, ...line }) => line)
    writeFileSync(join(folder, `${name}.ndjson`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    first += count
  }
  write(
    whose,
    version,
    'sections.json',
    sections.map(({ name }) => name),
  )
  write(whose, version, 'keys.json', keys)
  write(whose, version, 'shapes.json', shapes)
}

export const expectedOutcome = (whose: Whose, version: string): GoldenOutcome => ({
  states: read(whose, version, 'states.json'),
  rows: read(whose, version, 'rows.json'),
})

export function writeExpectedOutcome(whose: Whose, version: string, { states, rows }: GoldenOutcome): void {
  write(whose, version, 'states.json', states)
  write(whose, version, 'rows.json', rows)
}

export const declaredTypes = ({ streams }: Pick<GoldenService, 'streams'>): EventType[] => [
  ...new Set(streams.flatMap(({ types }) => types)),
]

export const shapesOf = (types: readonly EventType[]): Shapes =>
  Object.fromEntries(
    types.map(({ type, schemaVersion: version, sealedFields: sealed, shownFields: shown, schema }) => [
      type,
      { version, sealed, shown, schema: z.toJSONSchema(schema) },
    ]),
  )

/** Event types that differ from the declared shape of the same version. */
export const unversionedChanges = (then: Shapes, now: Shapes): string[] =>
  Object.keys(then).filter(
    (type) => then[type]?.version === now[type]?.version && plain(then[type]) !== plain(now[type]),
  )

const plain = (value: unknown): string => JSON.stringify(value)

/** Today's codec with the keys of the log. */
export function goldenCodec(
  { streams }: Pick<GoldenService, 'streams'>,
  { keys }: GoldenLog,
): { codec: EventCodec; vault: Vault } {
  const wrapped = new Map(Object.entries(keys).map(([subject, key]) => [subject, Buffer.from(key, 'base64')]))
  const vault = openVault({ store: memoryKeyStore(wrapped), kek: GOLDEN_KEK })
  return { codec: eventCodec(streams, vault), vault }
}

/** Appends the log to an empty, migrated database and replays it with today's deciders and read models. */
export async function replayGoldenLog(
  golden: GoldenService,
  log: GoldenLog,
  databaseUrl: string,
): Promise<GoldenOutcome> {
  const { readModels, deciders } = golden
  const { codec, vault } = goldenCodec(golden, log)
  const service = servicePool(databaseUrl, { role: 'daybook_service' })
  const projecting = servicePool(databaseUrl, { role: 'daybook_projector' })
  const store = postgresStore({ pool: service })
  try {
    const readSide = projector({ store, codec, database: kyselyFor(projecting), models: readModels })
    await readSide.prepare()
    await append(store, log.events)
    await readSide.catchUp()
    const states = await statesOf(new StateCache(store, codec), deciders, log)
    const rows: Record<string, unknown> = {}
    for (const model of readModels) rows[model.name] = await model.open(vault, await rowsOf(model, kyselyFor(service)))
    return { states: plainJson(states), rows: log.sections ? plainJson(rows, byEventId(log)) : plainJson(rows) }
  } finally {
    await store.close()
    await Promise.all([service.end(), projecting.end()])
  }
}

const plainJson = (value: unknown, replacer?: (key: string, value: unknown) => unknown): Json =>
  JSON.parse(JSON.stringify(value, replacer)) as Json

/** Positions move when an event is inserted before them, so the outcome names the event. */
const byEventId =
  ({ events }: GoldenLog) =>
  (key: string, value: unknown): unknown =>
    key === 'position' ? (events[Number(value) - 1]?.id ?? value) : value

async function append(store: EventStore, events: readonly GoldenEvent[]): Promise<void> {
  for (const { position, stream, revision, ...event } of events) {
    const appended = await store.append({ parts: [{ stream, expected: revision - 1, events: [event] }] })
    if (appended.position !== position) throw new Error(`Event ${position} went to ${appended.position}`)
  }
}

async function statesOf(
  states: StateCache,
  deciders: GoldenService['deciders'],
  { events }: GoldenLog,
): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {}
  for (const stream of [...new Set(events.map((each) => each.stream))].toSorted()) {
    const decider = deciders.find((each) => each.stream.name === stream.split('-')[0])
    if (decider) all[stream] = (await states.current(decider, stream)).state
  }
  return all
}

function rowsOf(model: ReadModel, from: ReturnType<typeof kyselyFor>): Promise<object[]> {
  const columns = Object.entries(model.columns)
  const primaries = columns.flatMap(([name, { primary }]) => (primary ? [name] : []))
  return primaries.reduce((query, name) => query.orderBy(name), model.queryIn(from).selectAll()).execute()
}
