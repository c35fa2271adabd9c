/**
 * Text that people type and others read in lists, mails and the audit trail: names and reasons. Characters that are not seen, or that
 * change what is seen around them, let one name look like another (Unicode Technical Report 36, 2; CVE-2021-42574), so requests with
 * them are refused. What was stored before stays as it is: only requests are parsed by these, never events.
 */
import { z } from 'zod'

/**
 * Control characters, line and paragraph separators, halves of surrogate pairs, noncharacters, and whatever is drawn as nothing: all
 * that direct the text, too. Joiners and variation selectors stay, because scripts and emoji are spelled with them.
 */
const UNSEEN =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}]|[\p{Default_Ignorable_Code_Point}--[\u200c\u200d\p{Variation_Selector}]]/v
const SEEN = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u
const LINE_ENDS = /[\t\n\r]/g

const isReadable = (text: string): boolean => !UNSEEN.test(text) && SEEN.test(text)

/** One line, without spaces around it. @param most in UTF-16 code units */
export const nameSchema = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .refine(isReadable, 'must be one line without control, direction or invisible characters')

/** Likewise, but of several lines. */
export const reasonSchema = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .refine(
      (text) => isReadable(text.replaceAll(LINE_ENDS, ' ')),
      'must be without control, direction or invisible characters',
    )
