/**
 * Operates every control of a page as it is now, and those of its dialogs and menus, and names each that does nothing. Nothing is
 * changed by it: requests that would change something are noticed and not sent, and each dialog is closed again.
 */
import type { Page } from 'playwright-core'

export interface Pressed {
  /** What was operated: where it is, its kind, and its name. */
  readonly done: readonly string[]
  /** Of those, the ones that caused no request, dialog, navigation, download or change of the page. */
  readonly dead: readonly string[]
  /** What was there at first, and did not come back when the page was opened again. */
  readonly lost: readonly string[]
}

/** @param known what need not be operated again */
export const pressAll = (page: Page, known: readonly string[]): Promise<Pressed> =>
  page.evaluate<Pressed>(`(${PRESS_ALL})(${JSON.stringify(known)})`)

/** As text, because the functions of tests know no browser. */
const PRESS_ALL = `async (known) => {
  const EFFECT_WITHIN_MS = 1_000
  const BACK_WITHIN_MS = 2_000
  const CONTROLS = 'button, summary, input, select, textarea, [role=tab], [role=menuitem], [role=switch]'
  // A message of what was done is a dialog too, beside the page.
  const OVER = ':is([role=dialog], [role=alertdialog], [role=menu]):not([aria-modal=false], [data-closed])'
  const CHECKS = 'input[type=checkbox], input[type=radio]'
  const TYPED = { number: '7', 'datetime-local': '2030-01-02T03:04', date: '2030-01-02', email: 'a@b.test', url: 'https://a.test/', color: '#123456' }

  const start = location.href
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  const holds = async (isSo, withinMs) => {
    const until = performance.now() + withinMs
    while (!isSo() && performance.now() < until) await pause(5)
    return isSo()
  }
  const over = () => [...document.querySelectorAll(OVER)].filter((each) => each.checkVisibility()).at(-1)
  const placeOf = (control) => {
    const above = control.closest(OVER)
    if (above) return above.role === 'menu' ? 'menu' : 'dialog ' + above.querySelector('h2')?.textContent
    return control.closest('main') ? 'page' : 'frame'
  }
  const nameOf = (control) => {
    const text = control.ariaLabel ?? control.labels?.[0]?.textContent ?? control.textContent
    return placeOf(control) + ', ' + (control.role ?? control.type ?? control.localName) + ' ' + text.trim().slice(0, 60)
  }
  const isOperable = (control) => control.checkVisibility() && !control.matches(':disabled, [aria-disabled=true], [aria-hidden=true]')
  const here = () => [...(over() ?? document).querySelectorAll(CONTROLS)].filter(isOperable)
  const named = (name) => here().find((each) => nameOf(each) === name)

  let effects = 0
  // What is typed into a filter here is no value that the service would take.
  let isHeld = false
  const noticed = () => { effects += 1 }
  const EVENTS = ['invalid', 'selectionchange', 'toggle']
  for (const each of EVENTS) document.addEventListener(each, noticed, true)
  const { fetch } = window
  window.fetch = (address, options) => {
    noticed()
    const isSent = !isHeld && (options?.method ?? 'GET') === 'GET' || new URL(address, location.href).pathname.endsWith('/refresh')
    return isSent ? fetch(address, options) : Promise.reject(new TypeError('A test does not send it'))
  }
  const { click } = HTMLAnchorElement.prototype
  HTMLAnchorElement.prototype.click = noticed
  // An entry of a menu closes the menu, which is no effect of its own.
  const isOfMenu = ({ target, addedNodes, removedNodes }) =>
    !target.closest?.('main') && ![...addedNodes].some((node) => node.querySelector?.('[role=dialog]')) && target !== document.documentElement
  const effectOf = async (act, isMenuItem) => {
    const [before, address] = [effects, location.href]
    const watch = new MutationObserver((changes) => { if (changes.some((each) => !isMenuItem || !isOfMenu(each))) noticed() })
    watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
    act()
    const isSeen = await holds(() => effects > before || location.href !== address, EFFECT_WITHIN_MS)
    watch.disconnect()
    return isSeen
  }

  const enter = (field, value) => {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, value)
    field.dispatchEvent(new Event(field.localName === 'select' ? 'change' : 'input', { bubbles: true }))
  }
  /** A field keeps what is entered; one that filters a list sets the address too. */
  const takes = async (field) => {
    const { value: before } = field
    const value = field.localName === 'select' ? [...field.options].find((each) => each.value !== before)?.value : (TYPED[field.type] ?? '7')
    if (value === undefined) return true
    if (field.closest('search') && !field.form) return filters(field, value)
    enter(field, value)
    await pause(20)
    const isKept = !field.isConnected || field.value === value
    if (field.isConnected) enter(field, before)
    return isKept
  }
  const filters = async (field, value) => {
    isHeld = true
    enter(field, value)
    field.blur()
    const isSet = await holds(() => location.href !== start, EFFECT_WITHIN_MS)
    history.replaceState(null, '', start)
    await pause(20)
    isHeld = false
    return isSet
  }
  const works = async (control) => {
    control.focus()
    await pause(0)
    if (control.type === 'file' || (control.type === 'radio' && control.checked)) return true
    if (control.matches('input, select, textarea') && !control.matches(CHECKS)) return takes(control)
    return effectOf(() => control.click(), control.role === 'menuitem')
  }

  /** Before what was typed is lost, a dialog asks. */
  const close = async () => {
    for (let tries = 0; over() && tries < 20; tries += 1) {
      const shown = over()
      const discard = [...shown.querySelectorAll('button')].find(({ textContent }) => textContent === 'Discard it')
      const escape = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })
      if (discard) discard.click()
      else (document.activeElement ?? document.body).dispatchEvent(escape)
      await holds(() => over() !== shown, 100)
    }
  }
  const reopen = async () => {
    history.pushState(null, '', start + '/-')
    await holds(() => document.querySelector('h1'), 500)
    history.replaceState(null, '', start)
  }
  const asAtFirst = async () => {
    await close()
    if (location.href !== start) history.replaceState(null, '', start)
  }
  const back = async (name) => {
    if (named(name)) return named(name)
    await reopen()
    await holds(() => named(name), BACK_WITHIN_MS)
    return named(name)
  }

  const done = new Set(known)
  const [dead, lost] = [[], []]
  const press = async (name, control) => {
    done.add(name)
    if (!(await works(control))) dead.push(name)
  }
  /** What a control has opened, without what is opened from there. */
  const pressOver = async (opener) => {
    for (const name of new Set(here().map(nameOf))) {
      if (done.has(name)) continue
      if (!over()) {
        const control = await back(opener)
        control?.click()
        await holds(over, BACK_WITHIN_MS)
      }
      const control = named(name)
      if (control) await press(name, control)
    }
  }
  for (const name of new Set(here().map(nameOf))) {
    if (done.has(name)) continue
    const control = await back(name)
    if (!control) { lost.push(name); continue }
    await press(name, control)
    if (over()) await pressOver(name)
    await asAtFirst()
  }
  window.fetch = fetch
  HTMLAnchorElement.prototype.click = click
  for (const each of EVENTS) document.removeEventListener(each, noticed, true)
  return { done: [...done].filter((each) => !known.includes(each)), dead, lost }
}`
