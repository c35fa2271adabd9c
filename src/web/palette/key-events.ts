/** Which presses of keys are for the page, and not for what the person types or for the browser. */
import { removeStored, store, stored } from '../session/stored.ts'

const SWITCH = 'daybook-single-keys'
const OFF = 'off'

/** Single keys get in the way of speech input and of some keyboards: each browser can switch them off. */
export const areSingleKeysOn = (): boolean => stored(SWITCH) !== OFF

export function switchSingleKeys(isOn: boolean): void {
  if (isOn) removeStored(SWITCH)
  else store(SWITCH, OFF)
}

/** On keyboards of Apple, Ctrl K belongs to text fields. */
export const isApple = (): boolean => /^(Mac|iP)/.test(navigator.platform)

const TYPED_INTO = 'input, textarea, select, [contenteditable]:not([contenteditable=false])'
/** A message is a dialog too, and covers nothing. */
const LAYERS = '[role=dialog]:not(.toast), [role=alertdialog]:not(.toast), [role=menu]'

/** @param target of the press */
export const isTypedInto = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(TYPED_INTO) !== null

/** What is open over the page gets all keys. */
export const isCovered = (): boolean => document.querySelector(LAYERS) !== null
