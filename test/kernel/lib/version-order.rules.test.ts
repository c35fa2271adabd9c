import { expect, test } from 'vitest'
import { compareVersions } from '#kernel/lib/version-order'

/** Semantic Versioning 2.0.0, 11, with its own examples. */
const ORDERED = [
  '0.9.10',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '1.0.9',
  '1.0.10',
  '1.2.0',
  '10.0.0',
]

test('versions have the order of their specification', () => {
  for (const [nth, one] of ORDERED.entries())
    for (const [mth, other] of ORDERED.entries())
      expect(Math.sign(compareVersions(one, other)), `${one} and ${other}`).toBe(Math.sign(nth - mth))
})
