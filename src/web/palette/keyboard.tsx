/** What keys do on every page, and the two dialogs that they open. Loaded after the frame. */
import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation } from 'wouter'
import type { Pages } from '../page-spec.ts'
import { useCan } from '../session/context.tsx'
import { areSingleKeysOn, isApple, isCovered, isTypedInto } from './key-events.ts'
import { isPaletteKey, isSingleKey } from './key-presses.ts'
import { Keys } from './keys.tsx'
import { pageEntry, reachablePages } from './matching.ts'
import { Palette } from './palette.tsx'
import type { RecordSource } from './record-source.ts'
import { focusRow, focusSearch } from './rows.ts'
import { press } from './sequence.ts'
import type { Begun, Command } from './sequence.ts'

export type OpenDialog = 'palette' | 'keys' | undefined

interface KeyboardProps {
  readonly pages: Pages
  readonly sources: readonly RecordSource[]
  readonly shown: OpenDialog
  readonly onShow: (dialog: OpenDialog) => void
}

export default function Keyboard({ pages, sources, shown, onShow }: KeyboardProps) {
  const can = useCan()
  const [, go] = useLocation()
  const begun = useRef<Begun>(undefined)
  const open = reachablePages(pages, can)
  const places = new Map(open.flatMap(([path, { keys }]) => (keys ? [[keys.slice('g '.length), path]] : [])))

  const obey = (command: Command): void => {
    if (command.do === 'open') go(command.path)
    else if (command.do === 'showKeys') onShow('keys')
    else if (command.do === 'nextRow') focusRow(1)
    else if (command.do === 'previousRow') focusRow(-1)
    else if (!focusSearch()) onShow('palette')
  }
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || isCovered()) return
    if (isPaletteKey(event, isApple())) {
      event.preventDefault()
      onShow('palette')
      return
    }
    if (!isSingleKey(event) || isTypedInto(event.target) || !areSingleKeysOn()) return
    const next = press(begun.current, { key: event.key, at: event.timeStamp }, places)
    begun.current = next.begun
    if (!next.command) return
    event.preventDefault()
    obey(next.command)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])

  const onClose = (): void => onShow(undefined)
  return (
    <>
      <Palette isOpen={shown === 'palette'} onClose={onClose} pages={open.map(pageEntry)} sources={sources} />
      <Keys isOpen={shown === 'keys'} onClose={onClose} pages={open} />
    </>
  )
}
