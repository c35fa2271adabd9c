/** Moves the focus within lists of records: the first link of a row stands for its record. */

/** @param by 1 for the next row, -1 for the one before */
export function focusRow(by: 1 | -1): void {
  const links = [...document.querySelectorAll('#main tbody tr')].flatMap(
    (row) => row.querySelector<HTMLElement>('a[href]') ?? [],
  )
  const row = document.activeElement?.closest('tr')
  const now = links.findIndex((link) => row?.contains(link))
  links[now === -1 ? 0 : Math.min(Math.max(now + by, 0), links.length - 1)]?.focus()
}

/** @returns false if the page has no field to search by */
export function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('#main search input[type=search]')
  field?.focus()
  return field !== null
}
