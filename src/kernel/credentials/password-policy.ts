/**
 * The rules for a new password (NIST SP 800-63B-4, ASVS 6.2): a minimum length and no guessable text,
 * but no composition rules. Almost no common password has 15 characters, so a list alone would reject
 * nothing. Therefore a password that only pads, repeats or counts up a listed word is rejected too.
 */
import { z } from 'zod'
import { reject } from '../lib/rejection.ts'
import { SPELLING_UNITS_MAX } from './password.ts'

export interface PasswordPolicy {
  /** Whether the account also has a second factor: then 8 code points suffice instead of 15. */
  readonly withTotp: boolean
  /** Words too close to this account: its e-mail, its name, the name of the product. */
  readonly forbidden?: readonly string[]
}

const CODE_POINTS_MIN = 15
const CODE_POINTS_MIN_WITH_TOTP = 8
const CODE_POINTS_MAX = 256
const passwordOf = (least: number) =>
  z.string().min(1).max(SPELLING_UNITS_MAX).meta({ format: 'password', minLength: least, maxLength: CODE_POINTS_MAX })

/** A password that `checkNewPassword` judges, of an account without a second factor. */
export const firstPasswordInput = passwordOf(CODE_POINTS_MIN).describe(
  `A passphrase that is hard to guess, of at least ${CODE_POINTS_MIN} characters.`,
)

/** The same, of an account that may have one. */
export const newPasswordInput = passwordOf(CODE_POINTS_MIN_WITH_TOTP).describe(
  `A passphrase that is hard to guess, of at least ${CODE_POINTS_MIN} characters, or ${CODE_POINTS_MIN_WITH_TOTP} if the account has a second factor.`,
)

/** Shorter words occur in good passwords by chance. */
const FORBIDDEN_WORD_MIN = 4
const PRODUCT_WORDS = ['daybook']
const KEYBOARD_ROWS = [
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1234567890',
  'qwertzuiop',
  'azertyuiop',
  'abcdefghijklmnopqrstuvwxyz',
]
/** Digits and signs around a core that begins and ends with a letter. */
const PADDED = /^([^\p{L}]*)(\p{L}|\p{L}.*\p{L})([^\p{L}]*)$/su
/** For example a year, a counter, a few exclamation marks. */
const SHORT_PADDING_MAX = 4

let loading: Promise<ReadonlySet<string>> | undefined

/** @throws Rejection 400 PASSWORD_TOO_SHORT | PASSWORD_TOO_LONG | PASSWORD_NOT_TEXT | PASSWORD_COMMON */
export async function checkNewPassword(password: string, { withTotp, forbidden = [] }: PasswordPolicy): Promise<void> {
  const text = checkedText(password)
  const length = Array.from(text).length
  const shortest = withTotp ? CODE_POINTS_MIN_WITH_TOTP : CODE_POINTS_MIN
  if (length < shortest) {
    reject('invalid', `The password must have at least ${shortest} characters`, 'PASSWORD_TOO_SHORT')
  }
  if (length > CODE_POINTS_MAX) tooLong()
  const common = await commonPasswords()
  const own = new Set([...PRODUCT_WORDS, ...forbidden].flatMap(comparedWords))
  if (isGuessable(text.toLowerCase(), (word) => common.has(word) || own.has(word))) {
    reject('invalid', 'The password is too common or too easy to guess: choose another one', 'PASSWORD_COMMON')
  }
}

function checkedText(password: string): string {
  if (password.length > SPELLING_UNITS_MAX) tooLong()
  if (!password.isWellFormed()) reject('invalid', 'The password is not valid Unicode text', 'PASSWORD_NOT_TEXT')
  return password.normalize('NFKC')
}

function tooLong(): never {
  reject('invalid', `The password must have at most ${CODE_POINTS_MAX} characters`, 'PASSWORD_TOO_LONG')
}

/** Whether the text, or the unit that it repeats, is weak: as a whole, or as a weak core with weak padding. */
function isGuessable(text: string, isListed: (word: string) => boolean): boolean {
  const isWeak = (word: string) => [word, repeatedUnit(word)].some((unit) => isListed(unit) || isKeyboardRun(unit))
  return [text, repeatedUnit(text)].some((word) => {
    const [, before = '', core = '', after = ''] = PADDED.exec(word) ?? []
    const isWeakPadding = (padding: string) => padding.length <= SHORT_PADDING_MAX || isWeak(padding)
    return isWeak(word) || (isWeak(core) && isWeakPadding(before) && isWeakPadding(after))
  })
}

/** The shortest text whose repetition, truncated at the end, is `text`. */
function repeatedUnit(text: string): string {
  for (let length = 1; length <= text.length / 2; length++) {
    if (text.startsWith(text.slice(length))) return text.slice(0, length)
  }
  return text
}

/**
 * A run along the keyboard or the alphabet, in either direction, continued at the start after its end;
 * also one single character.
 */
function isKeyboardRun(word: string): boolean {
  if (word.length < 2) return word.length === 1
  return KEYBOARD_ROWS.some((row) => {
    const wrapped = row.repeat(Math.ceil(word.length / row.length) + 1)
    return wrapped.includes(word) || wrapped.includes(Array.from(word).toReversed().join(''))
  })
}

/** An e-mail counts as a whole, by its local part and by its words. */
function comparedWords(phrase: string): string[] {
  const text = phrase.slice(0, SPELLING_UNITS_MAX).normalize('NFKC').toLowerCase()
  const [localPart = ''] = text.split('@')
  return [text, localPart, ...text.split(/[^\p{L}\p{N}]+/u)].filter((word) => word.length >= FORBIDDEN_WORD_MIN)
}

/** Loaded at the first use: 49,000 strings take about 12 ms, and most CLI commands do not need them. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loading ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common']))
  return loading
}
