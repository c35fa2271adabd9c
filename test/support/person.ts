/**
 * How a person works on pages: with a pointer, or with the keyboard alone. A story is written once, and told of both. By the keyboard
 * each control is reached with Tab and Shift+Tab, and has to show that it has the focus.
 */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

export interface Person {
  readonly name: 'pointer' | 'keyboard'
  /** A button, a link, or an entry of a menu. */
  readonly press: (control: Locator) => Promise<void>
  /** In place of what the field holds. */
  readonly write: (field: Locator, text: string) => Promise<void>
  /** @param option its value or its text */
  readonly choose: (select: Locator, option: string) => Promise<void>
  /** A box to check, or one of several choices. */
  readonly tick: (box: Locator) => Promise<void>
  readonly give: (field: Locator, file: GivenFile) => Promise<void>
}

interface GivenFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

export const POINTER: Person = {
  name: 'pointer',
  press: (control) => control.click(),
  write: (field, text) => field.fill(text),
  choose: async (select, option) => void (await select.selectOption(option)),
  tick: (box) => box.check(),
  give: (field, file) => givenBy(field, file, () => field.click()),
}

export const KEYBOARD: Person = {
  name: 'keyboard',
  async press(control) {
    await expect.poll(() => control.isEnabled(), { message: 'the control stays busy', timeout: 30_000 }).toBe(true)
    await tabTo(control)
    await control.page().keyboard.press((await isLink(control)) ? 'Enter' : 'Space')
  },
  async write(field, text) {
    await tabTo(field)
    const { keyboard } = field.page()
    if (await isTime(field)) return writeTime(field.page(), text)
    await keyboard.press('Control+A')
    await keyboard.type(text)
  },
  async choose(select, option) {
    // Some lists are read from the service.
    await select
      .locator('option')
      .filter({ hasText: option })
      .or(select.locator(`[value="${option}"]`))
      .waitFor({
        state: 'attached',
      })
    await tabTo(select)
    const steps = await stepsTo(select, option)
    await repeat(Math.abs(steps), () => select.page().keyboard.press(steps < 0 ? 'ArrowUp' : 'ArrowDown'))
  },
  async tick(box) {
    const { keyboard } = box.page()
    await tabTo(box)
    if (await box.isChecked()) return
    await keyboard.press('Space')
    for (let steps = 0; steps < CHOICES_MAX && !(await box.isChecked()); steps += 1) await keyboard.press('ArrowDown')
  },
  give: (field, file) =>
    givenBy(field, file, async () => {
      await tabTo(field)
      await field.page().keyboard.press('Enter')
    }),
}

/** For `describe.each`: each story by each of them. */
export const PEOPLE: readonly Person[] = [POINTER, KEYBOARD]

const CHOICES_MAX = 8
const TABS_MAX = 200

/** @throws Error if the keyboard does not get there, or if it cannot be seen that it is there */
async function tabTo(control: Locator): Promise<void> {
  await control.waitFor()
  const before = await ask<string>(control, LOOK)
  // In a menu, Tab leaves it.
  const [back, on] = (await isMenuItem(control)) ? ['ArrowUp', 'ArrowDown'] : ['Shift+Tab', 'Tab']
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    const where = await ask<'here' | 'before' | 'after'>(control, WHERE)
    if (where === 'here') return seen(control, before)
    await control.page().keyboard.press(where === 'before' ? back : on)
  }
  throw new Error(`${await ask<string>(control, NAME)} is not reached by the keyboard`)
}

async function seen(control: Locator, before: string): Promise<void> {
  const problem = await ask<string | null>(control, UNSEEN, before)
  if (problem !== null) throw new Error(`${await ask<string>(control, NAME)} has the focus and ${problem}`)
}

/** Runs a function of an element in the page. It is given as text, because the functions of tests know no browser. */
async function ask<Result>(control: Locator, code: string, given?: string): Promise<Result> {
  const run = await control.page().evaluateHandle<(control: unknown, given?: string) => Result>(code)
  return control.evaluate((element, asked) => asked.run(element, asked.given) as never, { run, given })
}

/** Where the control is from the focus. Tab stops at one of the choices that belong together. */
const WHERE = `(control) => {
  const active = document.activeElement
  const isOneOf = control.type === 'radio' && active.type === 'radio' && active.name === control.name
  if (active === control || isOneOf) return 'here'
  return active.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_PRECEDING ? 'before' : 'after'
}`

/** What a mark of the focus may be made of; it begins with the width of the outline. */
const LOOK = `(control) => {
  const { outlineStyle, outlineWidth, boxShadow, backgroundColor, borderColor } = getComputedStyle(control)
  return [outlineStyle === 'none' ? 0 : parseFloat(outlineWidth), boxShadow, backgroundColor, borderColor].join()
}`

const UNSEEN = `(control, before) => {
  const active = document.activeElement
  const { top, bottom, left, right } = active.getBoundingClientRect()
  if (bottom < 0 || right < 0 || top > innerHeight || left > innerWidth) return 'is outside of the window'
  const look = (${LOOK})(active)
  return look === before && !(parseFloat(look) > 0) ? 'looks as without it' : null
}`

const NAME = `(control) => control.localName + ' ' + (control.ariaLabel ?? control.textContent).trim().slice(0, 60)`

const isLink = (control: Locator): Promise<boolean> => ask(control, `(control) => control.localName === 'a'`)

const isMenuItem = (control: Locator): Promise<boolean> => ask(control, `(control) => control.role === 'menuitem'`)

const isTime = (field: Locator): Promise<boolean> => ask(field, `(field) => field.type === 'datetime-local'`)

const stepsTo = (select: Locator, option: string): Promise<number> =>
  ask(
    select,
    `({ options, selectedIndex }, option) => [...options].findIndex(({ value, text }) => value === option || text === option) - selectedIndex`,
    option,
  )

/** In the parts that Chromium shows in English: month, day, year, hour, minute, half of the day. */
async function writeTime({ keyboard }: Page, text: string): Promise<void> {
  const [, year, month, day, hour, minute] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)$/.exec(text)!
  await keyboard.type(`${month}${day}${year}`)
  await keyboard.press('ArrowRight')
  await keyboard.type(`${String(Number(hour) % 12 || 12).padStart(2, '0')}${minute}${Number(hour) < 12 ? 'AM' : 'PM'}`)
}

async function givenBy(field: Locator, file: GivenFile, open: () => Promise<void>): Promise<void> {
  const chooser = field.page().waitForEvent('filechooser')
  await open()
  await (await chooser).setFiles(file)
}

async function repeat(times: number, act: () => Promise<void>): Promise<void> {
  for (let done = 0; done < times; done += 1) await act()
}
