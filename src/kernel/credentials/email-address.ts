/** E-mail addresses of accounts: how one is accepted, and which spellings are the same account. */
import { z } from 'zod'

const EMAIL_CHARACTERS_MAX = 254
/** Before normalisation, which may shorten a text and takes long for a very long one. */
const SPELLING_CHARACTERS_MAX = 320

/** Trimmed and NFKC, otherwise as it was written. Refuses what is longer than RFC 5321, 4.5.3.1.3 allows. */
export const email = z
  .string()
  .max(SPELLING_CHARACTERS_MAX)
  .meta({ format: 'email' })
  .pipe(z.string().trim().normalize('NFKC').pipe(z.email().max(EMAIL_CHARACTERS_MAX)))

/** The one spelling by which an account is found: trimmed, NFKC, lower case. Normalising twice changes nothing. */
export const normalisedEmail = (text: string): string => text.trim().normalize('NFKC').toLowerCase()
