import { randomInt } from 'node:crypto'

/** Passwords without similar-looking characters, because users may copy them from a screen. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const GROUPS = 5
const GROUP_LENGTH = 5

/** Five groups of five characters, about 145 bits. */
export const readablePassword = (): string => Array.from({ length: GROUPS }, group).join('-')

const group = (): string =>
  Array.from({ length: GROUP_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')
