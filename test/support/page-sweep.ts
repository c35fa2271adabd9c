/**
 * What is wrong with the pages of a surface: refused requests, problems of accessibility, headings, text that is cut,
 * scrolling sideways, also with longer texts, and controls that do nothing.
 */
import type { Page } from 'playwright-core'
import type { Surface } from '../../src/web/surfaces.ts'
import { accessibilityProblems } from './browser.ts'
import { crawl, showAs, VIEWS } from './crawl.ts'
import { layoutProblems, lengthenTexts } from './layout.ts'
import { pressAll } from './press-all.ts'

/** Dozens of pages, each in several ways: longer than other tests may take on a busy machine. */
export const SWEEP_MS = 180_000

export interface Sweep {
  /** The declared paths that were seen. */
  readonly seen: readonly string[]
  readonly problems: readonly string[]
}

/**
 * @param page of a person who is signed in, on the first page of the surface
 * @param looked pages whose looks were checked as another person, and controls that were operated; the sweep adds its own
 */
export async function sweep(page: Page, surface: Surface, looked = new Set<string>()): Promise<Sweep> {
  const seen: string[] = []
  const problems: string[] = []
  for await (const { name, path, refused } of crawl(page, surface)) {
    if (name === undefined) {
      problems.push(`${path} is linked, and is no page`)
      continue
    }
    seen.push(name)
    problems.push(...refused.map((each) => `${name}: ${each}`))
    if (!looked.has(name)) problems.push(...(await problemsOfLooks(page, name)))
    looked.add(name)
    await showAs(page, VIEWS[0])
    problems.push(...(await problemsOfControls(page, name, looked)))
  }
  return { seen, problems }
}

async function problemsOfLooks(page: Page, name: string): Promise<string[]> {
  const problems: string[] = []
  for (const view of VIEWS) {
    await showAs(page, view)
    const found = [...(await layoutProblems(page)), ...(await accessibilityProblems(page))]
    problems.push(...found.map((each) => `${name}, ${view.theme}, ${view.width} px: ${each}`))
  }
  return [...problems, ...(await problemsOfLongTexts(page, name))]
}

const WIDTHS = [320, 390, 1_280]

/** The texts of the pages are in English only. This holds the room for those of another language. */
async function problemsOfLongTexts(page: Page, name: string): Promise<string[]> {
  const problems: string[] = []
  const restore = await lengthenTexts(page)
  for (const width of WIDTHS) {
    await showAs(page, { theme: 'light', width })
    problems.push(...(await layoutProblems(page)).map((each) => `${name}, long texts, ${width} px: ${each}`))
  }
  await restore()
  return problems
}

/** What is around the pages is the same on each. */
const FRAME = /^(?:frame|menu), /

async function problemsOfControls(page: Page, name: string, looked: Set<string>): Promise<string[]> {
  const onPage = `${name}: `
  const known = [...looked].map((each) => each.replace(onPage, ''))
  const { done, dead, lost } = await pressAll(page, known)
  for (const each of done) looked.add(FRAME.test(each) ? each : onPage + each)
  return [
    ...dead.map((each) => `${name}: does nothing: ${each}`),
    ...lost.map((each) => `${name}: is gone after other controls were used: ${each}`),
  ]
}
