/** E-mail addresses of accounts: which are accepted, and which spellings are the same account. */
import { z } from 'zod'

const EMAIL_CHARACTERS_MAX = 254
/** Checked before normalisation, which may shorten a text and is slow for a very long one. */
const SPELLING_CHARACTERS_MAX = 320

/** Trimmed and NFKC, otherwise unchanged. Rejects addresses beyond the length of RFC 5321, 4.5.3.1.3. */
export const email = z
  .string()
  .max(SPELLING_CHARACTERS_MAX)
  .meta({ format: 'email', pattern: z.regexes.email.source, maxLength: EMAIL_CHARACTERS_MAX })
  .pipe(z.string().trim().normalize('NFKC').pipe(z.email().max(EMAIL_CHARACTERS_MAX)))

/** The spelling by which accounts are found: trimmed, NFKC, lower case. Idempotent. */
export const normalisedEmail = (text: string): string => text.trim().normalize('NFKC').toLowerCase()
