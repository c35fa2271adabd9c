/**
 * Validates a route's path, query and body against their schemas. Error messages never repeat a value
 * that the client sent.
 */
import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { found, reject } from '../lib/rejection.ts'
import { uuid } from '../lib/uuid.ts'
import { readBytes, readJson, refuseBody } from './body-reader.ts'
import type { IncomingRequest } from './incoming-request.ts'
import { bytesLimit } from './route.ts'
import type { Route } from './route.ts'

const ISSUES_SHOWN_MAX = 5
const QUERY_PARAMETERS_MAX = 100
/** Only such names are repeated in error messages, because they cannot carry other content. */
const SHOWABLE_NAME = /^[A-Za-z0-9_.-]{1,64}$/

export interface InputParser {
  /** @throws Rejection 404, the same as for an unknown id */
  params(raw: Readonly<Record<string, string>>): unknown
  /**
   * @param search the query string without the question mark
   * @throws Rejection 400
   */
  query(search: string): unknown
  /** @throws Rejection 400 | 413 | 415 */
  body(request: IncomingMessage, arrived?: IncomingRequest): Promise<unknown>
}

/** @throws Error at start if a body or query schema accepts undeclared fields */
export function inputParserOf(route: Route): InputParser {
  const params = route.params ? requireCanonicalIds(route.params, `${route.line}: path`) : uuidParams(route.path)
  const query = route.query && refuseOpenObjects(route.query, `${route.line}: query`)
  const body = route.body && refuseOpenObjects(route.body, `${route.line}: body`)
  return {
    params: (raw) => {
      const parsed = params.safeParse(raw)
      return found(parsed.success ? parsed.data : undefined)
    },
    query: (search) => {
      const raw = queryValues(search, query ? listsIn(query) : new Set())
      if (query) return parseWith(query, raw, 'The query')
      for (const name of Object.keys(raw)) refuseUnknown([name])
      return undefined
    },
    body: async (request, arrived) => {
      if (route.upload) return undefined
      const read = arrived ? () => arrived.body(route.bodyMax) : () => readBytes(request, route.bodyMax)
      if (!body) return refuseBody(request, read)
      const limit = bytesLimit(body)
      if (limit !== undefined) return arrived ? arrived.body(limit) : readBytes(request, limit)
      const sent = await readJson(request, read)
      if (sent === undefined && !body.safeParse(undefined).success)
        reject('invalid', 'A JSON body is required', 'BODY_REQUIRED')
      return parseWith(body, sent, 'The body')
    },
  }
}

/** Path parameters without a schema are UUIDs in lower case, as in stream names. */
export function uuidParams(path: string): z.ZodType {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  return z.object(Object.fromEntries(names.map((name) => [name, uuid])))
}

/** Rejects, at start, a schema that accepts undeclared fields (mass assignment). */
function refuseOpenObjects(schema: z.ZodType, where: string): z.ZodType {
  const strict = schema instanceof z.ZodObject && schema.def.catchall === undefined ? schema.strict() : schema
  const open = openObject(z.toJSONSchema(strict, { io: 'input', unrepresentable: 'any' }), where)
  if (open) throw new Error(`${open} is an open object: use z.strictObject`)
  return requireCanonicalIds(strict, where)
}

const UPPER_CASE_UUID = 'FFFFFFFF-FFFF-7FFF-8FFF-FFFFFFFFFFFF'

/**
 * Rejects, at start, an id that is not converted to lower case: stream names and tables contain only
 * that spelling.
 */
function requireCanonicalIds(schema: z.ZodType, where: string): z.ZodType {
  for (const part of schemasWithin(schema))
    if (part instanceof z.ZodUUID && part.safeParse(UPPER_CASE_UUID).data === UPPER_CASE_UUID)
      throw new Error(`${where} accepts an id without converting it to lower case: use uuid of id.ts`)
  return schema
}

/** A schema and all of its parts, each once: a recursive schema contains itself. */
function schemasWithin(made: unknown, seen = new Set<unknown>()): z.ZodType[] {
  if (typeof made !== 'object' || made === null || seen.has(made)) return []
  seen.add(made)
  if (!(made instanceof z.ZodType)) return Object.values(made).flatMap((part) => schemasWithin(part, seen))
  return [made, ...schemasWithin(made.def, seen)]
}

function openObject(node: unknown, where: string): string | undefined {
  if (typeof node !== 'object' || node === null) return undefined
  if ('properties' in node && !('additionalProperties' in node)) return where
  for (const [name, child] of Object.entries(node)) {
    const open = openObject(child, `${where}.${name}`)
    if (open) return open
  }
  return undefined
}

/** The names of the object's list fields: only those may be repeated in a query. */
function listsIn(schema: z.ZodType): ReadonlySet<string> {
  if (!(schema instanceof z.ZodObject)) return new Set()
  return new Set(Object.keys(schema.shape).filter((name) => isList(schema.shape[name])))
}

function isList(schema: unknown): boolean {
  if (schema instanceof z.ZodArray) return true
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return isList(schema.def.innerType)
  return schema instanceof z.ZodPipe && isList(schema.def.in)
}

function queryValues(search: string, lists: ReadonlySet<string>): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = Object.create(null)
  const pairs = search.split('&').filter((pair) => pair !== '')
  if (pairs.length > QUERY_PARAMETERS_MAX)
    reject('invalid', `The query has more than ${QUERY_PARAMETERS_MAX} parameters`, 'INVALID_QUERY')
  for (const pair of pairs) {
    const [name, value] = pairOf(pair)
    if (lists.has(name)) values[name] = [values[name] ?? [], value].flat()
    else if (name in values) reject('invalid', `${printableName(name)} is given twice`, 'INVALID_QUERY')
    else values[name] = value
  }
  return values
}

function pairOf(pair: string): [string, string] {
  const at = pair.includes('=') ? pair.indexOf('=') : pair.length
  return [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))]
}

function decoded(text: string): string {
  try {
    const plain = decodeURIComponent(text.replaceAll('+', ' '))
    if (!plain.includes('\0')) return plain
  } catch {
    // rejected below, as is text with NUL
  }
  return reject('invalid', 'The query must be percent-encoded UTF-8 text', 'INVALID_QUERY')
}

function parseWith(schema: z.ZodType, value: unknown, whole: string): unknown {
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : reject('invalid', explainIssues(parsed.error, whole), 'INVALID_INPUT')
}

/** `seats: Too small: expected number to be >=1; name: …` */
function explainIssues(error: z.ZodError, whole: string): string {
  const sentences = error.issues.slice(0, ISSUES_SHOWN_MAX).map((issue) => issueSentence(issue, whole))
  const more = error.issues.length - sentences.length
  return [...sentences, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

function issueSentence(issue: z.core.$ZodIssue, whole: string): string {
  const place = issue.path.length === 0 ? whole : issue.path.map((step) => printableName(String(step))).join('.')
  if (issue.code === 'unrecognized_keys') return `${place}: ${unknownNames(issue.keys)}`
  return `${place}: ${issue.message}`
}

function refuseUnknown(names: string[]): never {
  reject('invalid', `The query: ${unknownNames(names)}`, 'INVALID_INPUT')
}

function unknownNames(names: readonly string[]): string {
  const showable = names.filter((name) => SHOWABLE_NAME.test(name)).slice(0, ISSUES_SHOWN_MAX)
  return showable.length === 0 ? 'holds an unknown field' : `unknown field ${showable.join(', ')}`
}

const printableName = (name: string): string => (SHOWABLE_NAME.test(name) ? name : '?')
