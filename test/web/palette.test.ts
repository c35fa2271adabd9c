/** What the palette finds by a text, and what keys mean. */
import { describe, expect, test } from 'vitest'
import { isPaletteKey, isSingleKey } from '../../src/web/palette/key-presses.ts'
import { grouped, matching, pageEntry, reachablePages } from '../../src/web/palette/matching.ts'
import type { Entry } from '../../src/web/palette/matching.ts'
import { press } from '../../src/web/palette/sequence.ts'
import type { Begun, Command } from '../../src/web/palette/sequence.ts'
import { BACK_OFFICE, PANEL, SHOP, SURFACES } from '../../src/web/surfaces.ts'

describe.each(SURFACES)('the keys of $name', ({ pages }) => {
  const keyed = Object.values(pages).filter(({ keys }) => keys !== undefined)

  test('are one letter of the title after g, and open one page each', () => {
    for (const { title, keys = '' } of keyed) {
      expect(keys).toMatch(/^g [a-z]$/)
      expect(title.toLowerCase()).toContain(keys.at(-1))
    }
    expect(new Set(keyed.map(({ keys }) => keys)).size).toBe(keyed.length)
    expect(keyed.length).toBeGreaterThan(4)
  })

  test('open pages that need no record', () => {
    const ofRecords = Object.entries(pages).filter(([path, { keys }]) => keys !== undefined && path.includes(':'))
    expect(ofRecords).toEqual([])
  })
})

describe('what a text finds', () => {
  const entry = (title: string, more: Partial<Entry> = {}): Entry => ({
    group: 'Pages',
    title,
    to: `/${title}`,
    ...more,
  })
  const titles = (entries: readonly Entry[], text: string) => matching(entries, text).map(({ title }) => title)

  test('the closest first: begins with it, has a word with it, contains it, is described by it', () => {
    const entries = [
      entry('Old', { detail: 'keys' }),
      entry('Turkeys'),
      entry('API keys'),
      entry('Keys'),
      entry('Inbox'),
    ]
    expect(titles(entries, 'keys')).toEqual(['Keys', 'API keys', 'Turkeys', 'Old'])
  })

  test.each([
    ['', true],
    ['  cafe   PA ', true],
    ['paris café', true],
    ['01a7', true],
    ['cafe berlin', false],
  ])('“%s”: %s', (text, isFound) => {
    expect(titles([entry('Café Paris', { also: '01a7-bc' })], text)).toEqual(isFound ? ['Café Paris'] : [])
  })

  test('an address stands once, below its first heading', () => {
    const twice = entry('Customer', { group: 'Records' })
    expect(grouped([entry('Plans'), twice, { ...twice, detail: 'again' }])).toEqual([
      ['Pages', [entry('Plans')]],
      ['Records', [twice]],
    ])
  })
})

describe('the pages that can be gone to', () => {
  const pathsOf = ({ pages }: typeof PANEL, can: boolean) => reachablePages(pages, () => can).map(([path]) => path)

  test('are those of the navigation and the account; never those of records, doors or the checkout', () => {
    expect(pathsOf(SHOP, true)).toEqual([
      '/shop',
      '/shop/subscriptions',
      '/shop/plans',
      '/shop/invoices',
      '/shop/downloads',
      '/shop/account',
    ])
  })

  test('are only those that the person may open', () => {
    expect(pathsOf(BACK_OFFICE, false)).toEqual(['/console', '/console/account'])
    expect(pathsOf(PANEL, false).filter((path) => path.startsWith('/admin'))).toEqual([])
  })

  test('tell their section', () => {
    const entries = reachablePages(PANEL.pages, () => true).map(pageEntry)
    expect(entries).toContainEqual({ group: 'Pages', title: 'People', detail: 'Installation', to: '/admin/people' })
    expect(entries).toContainEqual({ group: 'Pages', title: 'Inbox', detail: undefined, to: '/inbox' })
  })
})

describe('single keys', () => {
  const places = new Map([
    ['c', '/console/customers'],
    ['g', '/console/g'],
  ])

  /** @param presses a key, and how many milliseconds after the one before */
  function commandsOf(
    ...presses: readonly (readonly [key: string, after: number])[]
  ): readonly (Command | undefined)[] {
    let begun: Begun
    let at = 10_000
    return presses.map(([key, after]) => {
      at += after
      const next = press(begun, { key, at }, places)
      begun = next.begun
      return next.command
    })
  }

  test.each([
    ['?', 'showKeys'],
    ['/', 'search'],
    ['j', 'nextRow'],
    ['k', 'previousRow'],
  ])('%s: %s', (key, what) => {
    expect(commandsOf([key, 0])).toEqual([{ do: what }])
  })

  test('g and a letter open a page', () => {
    expect(commandsOf(['g', 0], ['c', 1_500])).toEqual([undefined, { do: 'open', path: '/console/customers' }])
    expect(commandsOf(['g', 0], ['g', 100])[1]).toEqual({ do: 'open', path: '/console/g' })
  })

  test('a letter alone, or too late, opens nothing', () => {
    expect(commandsOf(['c', 0])).toEqual([undefined])
    expect(commandsOf(['g', 0], ['c', 1_501])).toEqual([undefined, undefined])
  })

  test('an unknown second letter ends the sequence and does nothing', () => {
    expect(commandsOf(['g', 0], ['j', 10], ['c', 10], ['j', 10])).toEqual([
      undefined,
      undefined,
      undefined,
      { do: 'nextRow' },
    ])
  })

  test('what every object has is no command', () => {
    expect(commandsOf(['constructor', 0])).toEqual([undefined])
  })
})

describe('modifiers', () => {
  const none = { ctrlKey: false, altKey: false, metaKey: false, shiftKey: false }
  const held = (modifier: string) => ({ ...none, key: 'k', [modifier]: true })

  test.each(['ctrlKey', 'altKey', 'metaKey'])('%s makes it no single key', (modifier) => {
    expect(isSingleKey(held(modifier))).toBe(false)
  })

  test('a key of its own is one, with Shift too; a named key is none', () => {
    expect(isSingleKey({ ...none, key: 'k' })).toBe(true)
    expect(isSingleKey({ ...none, key: '?', shiftKey: true })).toBe(true)
    expect(isSingleKey({ ...none, key: 'Enter' })).toBe(false)
  })

  test('the palette is ⌘ K on keyboards of Apple, and Ctrl K on others', () => {
    const opens = (modifier: string) => [isPaletteKey(held(modifier), true), isPaletteKey(held(modifier), false)]
    expect(opens('metaKey')).toEqual([true, false])
    expect(opens('ctrlKey')).toEqual([false, true])
    expect(opens('shiftKey')).toEqual([false, false])
    expect(isPaletteKey({ ...held('ctrlKey'), altKey: true }, false)).toBe(false)
    expect(isPaletteKey({ ...held('ctrlKey'), shiftKey: true }, false)).toBe(false)
    expect(isPaletteKey({ ...none, ctrlKey: true, key: 'K' }, false)).toBe(true)
    expect(isPaletteKey({ ...none, ctrlKey: true, key: 'j' }, false)).toBe(false)
  })
})
