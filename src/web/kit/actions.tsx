/**
 * The actions of a record: the main ones as buttons, the rest in a menu. A dialog that is opened from the menu outlives
 * it, so an action of the menu stays beside the menu and puts only its label into it.
 */
import { createContext, use, useCallback, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Button } from './controls.tsx'
import type { ButtonTone } from './controls.tsx'
import { Menu, MenuItem } from './overlay.tsx'
import { usePageAction } from './page-actions.ts'

interface Entry {
  readonly label: string
  readonly tone: ButtonTone
  readonly isHidden: boolean
  readonly press: () => void
}

type Entries = ReadonlyMap<string, Entry>

interface Place {
  readonly put: (id: string, entry: Entry) => void
  readonly drop: (id: string) => void
}

const MenuPlace = createContext<Place | undefined>(undefined)

interface TriggerProps {
  readonly label: string
  /** For screen readers, where the label alone does not say of which record. */
  readonly name?: string | undefined
  readonly tone?: ButtonTone
  /** A hidden action keeps its place among the others. */
  readonly isHidden?: boolean
  readonly isBusy?: boolean
  readonly onPress: () => void
}

/** Begins an action: a button, or an entry of the menu that it stands in. */
export function Trigger({ label, name, tone = 'plain', isHidden = false, isBusy, onPress }: TriggerProps) {
  const menu = use(MenuPlace)
  const id = useId()
  const act = useRef(onPress)
  useLayoutEffect(() => {
    act.current = onPress
  }, [onPress])
  const press = useCallback(() => act.current(), [])
  usePageAction(label, press, !isHidden && !isBusy)
  useLayoutEffect(() => menu?.put(id, { label, tone, isHidden, press }), [menu, id, label, tone, isHidden, press])
  useLayoutEffect(() => () => menu?.drop(id), [menu, id])
  if (menu || isHidden) return null
  return (
    <Button tone={tone} aria-label={name} isBusy={isBusy} onClick={onPress}>
      {label}
    </Button>
  )
}

interface ActionsProps {
  /** The main actions, at most three. */
  readonly children?: ReactNode
  readonly more: ReactNode
}

export function Actions({ children, more }: ActionsProps) {
  const [entries, setEntries] = useState<Entries>(new Map())
  const put = useCallback((id: string, entry: Entry) => setEntries((before) => new Map(before).set(id, entry)), [])
  const drop = useCallback(
    (id: string) => setEntries((before) => new Map([...before].filter(([each]) => each !== id))),
    [],
  )
  const place = useMemo(() => ({ put, drop }), [put, drop])
  return (
    <>
      {children}
      <MenuPlace value={place}>{more}</MenuPlace>
      <More entries={[...entries].filter(([, { isHidden }]) => !isHidden)} />
    </>
  )
}

/** What cannot come back stands last. A menu of one entry would be a click for nothing. */
function More({ entries }: { readonly entries: readonly (readonly [string, Entry])[] }) {
  const [first] = entries
  if (!first) return null
  if (entries.length === 1)
    return (
      <Button tone={first[1].tone} onClick={first[1].press}>
        {first[1].label}
      </Button>
    )
  const sorted = [...entries].toSorted(
    ([, one], [, other]) => Number(one.tone === 'bad') - Number(other.tone === 'bad'),
  )
  return (
    <Menu label="More" tone="plain">
      {sorted.map(([id, { label, tone, press }]) => (
        <MenuItem key={id} onSelect={press} {...(tone === 'bad' && { tone })}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}
