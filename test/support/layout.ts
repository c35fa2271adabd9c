/** What is wrong with the layout of a page as it is now, and its texts made as long as those of another language. */
import type { Page } from 'playwright-core'

/** One `h1`, nothing wider than the window, no text that its own box cuts off, and no text over another. */
export async function layoutProblems(page: Page): Promise<string[]> {
  const problems = () => page.evaluate<string[]>(`(${PROBLEMS})()`)
  // A history measures its entries again after the width has changed.
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const found = await problems()
    if (found.length === 0) return []
    await page.waitForTimeout(LOOK_AGAIN_MS)
  }
  return problems()
}

const LOOKS_MAX = 4
const LOOK_AGAIN_MS = 100

/**
 * Doubles the vowels, with accents: texts grow by some 40 %, as they do from English to German, and words with them. Names, ids and
 * what is typed stay. @returns puts the texts back
 */
export async function lengthenTexts(page: Page): Promise<() => Promise<void>> {
  const restore = await page.evaluateHandle<() => void>(`(${LENGTHEN})()`)
  return () => restore.evaluate((run) => run())
}

// As text, because the functions of tests know no browser.

const PROBLEMS = `() => {
  const problems = []
  const headings = document.querySelectorAll('h1').length
  if (headings !== 1) problems.push(headings + ' headings of the first level')
  const { scrollWidth } = document.documentElement
  const widest = () => [...document.querySelectorAll('main *')].findLast((element) => element.getBoundingClientRect().right > innerWidth + 1)
  if (scrollWidth > innerWidth) problems.push('scrolls sideways to ' + scrollWidth + ' px: ' + widest()?.outerHTML.slice(0, 90))
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const hidden = new Set()
  for (const element of document.querySelectorAll('main *')) {
    const { overflowX, clipPath } = getComputedStyle(element)
    if (clipPath !== 'none' || hidden.has(element.parentElement)) { hidden.add(element); continue }
    const isCut = element.scrollWidth > element.clientWidth + 1 && ['hidden', 'clip'].includes(overflowX)
    if (isCut && element.textContent.trim() !== '') problems.push('text is cut: ' + element.textContent.trim().slice(0, 60))
  }

  const texts = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT)
  const boxes = []
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const { parentElement } = node
    if (node.data.trim() === '' || parentElement.closest('option, textarea') || hidden.has(parentElement) || !isSeen(parentElement)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const box of range.getClientRects()) if (box.width > 0) boxes.push({ box, text: node.data.trim().slice(0, 40), node })
  }
  // Boxes of lines overlap where lines are close, although their letters do not.
  const LEADING = 0.3
  boxes.sort((one, other) => one.box.top - other.box.top)
  boxes.forEach(({ box, text, node }, nth) => {
    for (const other of boxes.slice(nth + 1)) {
      if (other.box.top >= box.bottom) break
      const width = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left)
      const height = Math.min(box.bottom, other.box.bottom) - other.box.top
      if (node !== other.node && width > 2 && height > LEADING * Math.min(box.height, other.box.height)) problems.push('texts overlap: ' + text + ' | ' + other.text)
    }
  })
  return problems
}`

const LENGTHEN = `() => {
  const LONGER = { a: 'áä', e: 'éê', i: 'íî', o: 'óö', u: 'úü', A: 'ÁÄ', E: 'ÉÊ', I: 'ÍÎ', O: 'ÓÖ', U: 'ÚÜ' }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const before = new Map()
  for (let node = texts.nextNode(); node; node = texts.nextNode())
    if (!node.parentElement.closest('code, pre, textarea, script, style') && !node.data.includes('@')) before.set(node, node.data)
  const longer = (text) => text.replace(/[aeiou]/gi, (letter) => LONGER[letter])
  for (const [node, text] of before) node.data = longer(text)
  return () => { for (const [node, text] of before) if (node.data === longer(text)) node.data = text }
}`
