/**
 * The addresses from which a credential may be used. An empty list allows every address; a list that
 * covers every address is rejected.
 */
import { z } from 'zod'
import { LruMap } from '../lib/lru-map.ts'
import { reject } from '../lib/rejection.ts'
import { isInRange, parseIp, parseIpRange, RANGE, rangeText } from './ip-address.ts'
import type { Ip, IpRange } from './ip-address.ts'

const RULES_MAX = 100

/** What `parseAllowedIps` takes, for the JSON Schema of the document. */
export const allowedIpsInput = z
  .array(
    z
      .string()
      .describe('An IPv4 or IPv6 address or a CIDR range.')
      .meta({ pattern: RANGE.source, examples: ['192.0.2.0/24'] }),
  )
  .meta({ maxItems: RULES_MAX })
  .default([])
  .describe('Where the credential may be used. An empty list allows every address. Every address together is refused.')

/**
 * Cached, because parsing a hundred rules takes a millisecond: a rejection would differ in time from
 * that of an unknown credential (security.md A4).
 */
const READ_MAX = 10_000
const readRules = new LruMap<IpRange | string>(READ_MAX)
const readAddresses = new LruMap<Ip>(READ_MAX)

/**
 * @returns the canonical spelling of each rule, in the given order and without duplicates
 * @throws Rejection 400 ALLOWED_IPS_INVALID, which names the rule by its number and never repeats its
 * text
 */
export function parseAllowedIps(rules: readonly string[]): string[] {
  if (rules.length > RULES_MAX) refuse(`allowedIps may contain at most ${RULES_MAX} rules`)
  const ranges = rules.map((rule, index) => {
    const range = parseIpRange(rule)
    return typeof range === 'string' ? refuse(`allowedIps rule ${index + 1} ${range}`) : range
  })
  for (const bits of [32, 128] as const) {
    if (coversAll(ranges, bits))
      refuse(`allowedIps must not cover every IPv${bits === 32 ? 4 : 6} address: leave it empty to allow all`)
  }
  return [...new Set(ranges.map(rangeText))]
}

/**
 * If there are rules, an unknown address (undefined), an invalid one and one of the other family are
 * rejected.
 */
export function ipAllowed(rules: readonly string[], address: string | undefined): boolean {
  if (rules.length === 0) return true
  const ip = address === undefined ? undefined : parseCached(readAddresses, address, parseIp)
  if (!ip) return false
  return rules.some((rule) => {
    const range = parseCached(readRules, rule, parseIpRange)
    return typeof range !== 'string' && isInRange(ip, range)
  })
}

function parseCached<Read, Parsed extends Read | undefined>(
  known: LruMap<Read>,
  text: string,
  parse: (text: string) => Parsed,
) {
  const kept = known.get(text)
  if (kept !== undefined) return kept
  const parsed = parse(text)
  if (parsed !== undefined) known.set(text, parsed)
  return parsed
}

function coversAll(ranges: readonly IpRange[], bits: 32 | 128): boolean {
  const sorted = ranges.filter((range) => range.bits === bits).sort((a, b) => (a.value < b.value ? -1 : 1))
  let covered = 0n
  for (const { value, prefix } of sorted) {
    if (value > covered) return false
    const end = value + (1n << BigInt(bits - prefix))
    if (end > covered) covered = end
  }
  return covered === 1n << BigInt(bits)
}

function refuse(message: string): never {
  reject('invalid', message, 'ALLOWED_IPS_INVALID')
}
