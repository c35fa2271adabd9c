/** Opens what is sealed to this agent. */
import { openBox } from '../tasks/sealed-box.ts'
import type { BoxKeys, BoxSubject } from '../tasks/sealed-box.ts'

export const UNOPENED = Symbol('unopened')

/** @returns null without a box; UNOPENED for one that was sealed for something else */
export function openSecrets(box: string | null, keys: BoxKeys, subject: BoxSubject): unknown {
  if (box === null) return null
  const opened = openBox(box, keys, subject)
  return opened ? (JSON.parse(opened.toString()) as unknown) : UNOPENED
}
