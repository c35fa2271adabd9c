import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { validLink, isRequestedTooSoon, withLink } from '#kernel/auth/one-time-links'
import type { OneTimeLink, OneTimeLinks } from '#kernel/auth/one-time-links'

const MINUTE_MS = 60_000
const at = (minutes: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + minutes * MINUTE_MS)

const link = (hash: string, made: number, more: Partial<OneTimeLink> = {}): OneTimeLink => ({
  purpose: 'RESET',
  hash,
  madeAt: at(made).toISOString(),
  expiresAt: at(made + 10).toISOString(),
  mailed: true,
  ...more,
})
const all = (...links: readonly OneTimeLink[]): OneTimeLinks => links.reduce(withLink, [] as OneTimeLinks)
const good = (links: OneTimeLinks, minutes: number, purposes = ['RESET']) =>
  links.flatMap(({ hash }) => (validLink(links, { hash, purposes }, at(minutes)) ? [hash] : []))

describe('a link', () => {
  test('is good until it ends, for its own purpose', () => {
    const links = all(link('a', 0), link('b', 0, { purpose: 'INVITE' }))
    expect(good(links, 9.99)).toEqual(['a'])
    expect(good(links, 9.99, ['RESET', 'INVITE'])).toEqual(['a', 'b'])
    expect(good(links, 10, ['RESET', 'INVITE'])).toEqual([])
    expect(validLink(links, { hash: 'c', purposes: ['RESET'] }, at(1))).toBeUndefined()
  })

  test('that was mailed is replaced by the third after it, and by none of another purpose', () => {
    const day = { expiresAt: at(1_440).toISOString() }
    const links = all(link('a', 0, day), link('b', 5, day), link('c', 10, { ...day, purpose: 'VERIFY' }))
    expect(good(links, 10)).toEqual(['a', 'b'])
    expect(good(withLink(links, link('d', 10, day)), 10)).toEqual(['a', 'b', 'd'])
    expect(good(all(...links, link('d', 10, day), link('e', 15, day)), 15)).toEqual(['b', 'd', 'e'])
  })

  test('that was shown is replaced by the next that is shown, and by none that is mailed', () => {
    const shown = { mailed: false, expiresAt: at(1_440).toISOString() }
    const links = all(link('shown', 0, shown), link('a', 1), link('b', 2), link('c', 3), link('d', 4))
    expect(good(links, 4)).toEqual(['shown', 'b', 'c', 'd'])
    expect(good(withLink(links, link('shown again', 4, shown)), 4)).toEqual(['b', 'c', 'd', 'shown again'])
  })
})

describe('asking', () => {
  test('within five minutes of a mailed link of the same purpose makes none', () => {
    const links = all(link('a', 0), link('shown', 20, { mailed: false }))
    expect(isRequestedTooSoon(links, 'RESET', at(4.99))).toBe(true)
    expect(isRequestedTooSoon(links, 'RESET', at(5))).toBe(false)
    expect(isRequestedTooSoon(links, 'VERIFY', at(1))).toBe(false)
    expect(isRequestedTooSoon(links, 'RESET', at(20)), 'what was shown is in no mailbox').toBe(false)
    expect(isRequestedTooSoon([], 'RESET', at(0))).toBe(false)
  })

  test('whatever strangers ask and whenever: the owner who asks has a mail that is good for five minutes more, and at most twelve an hour', () => {
    const asks = fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 120 })
    fc.assert(
      fc.property(asks, (pauses) => {
        let [links, second]: [OneTimeLinks, number] = [[], 0]
        const mailed: number[] = []
        for (const [nth, pause] of pauses.entries()) {
          second += pause
          const now = second / 60
          if (!isRequestedTooSoon(links, 'RESET', at(now))) {
            links = withLink(links, link(`${nth}`, now))
            mailed.push(now)
          }
          const newest = links.at(-1)!
          const inFiveMinutes = { hash: newest.hash, purposes: ['RESET'] }
          if (!validLink(links, inFiveMinutes, at(now + 4.99))) return false
          if (mailed.filter((each) => each > now - 60).length > 12) return false
        }
        return true
      }),
    )
  })

  test('takes no link away before it ends: every one of ten minutes is good for ten minutes', () => {
    let links: OneTimeLinks = []
    for (let minute = 0; minute < 120; minute += 1) {
      if (!isRequestedTooSoon(links, 'RESET', at(minute))) links = withLink(links, link(`${minute}`, minute))
      const due = [0, 5].map((age) => minute - (minute % 5) - age).filter((made) => made >= 0)
      expect(good(links, minute)).toEqual(expect.arrayContaining(due.filter((made) => minute < made + 10).map(String)))
    }
  })
})
