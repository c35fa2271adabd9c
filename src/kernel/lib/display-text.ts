/**
 * Names and reasons: text that one person types and others read in lists, mails and the audit trail.
 * Characters that are invisible or change the text around them let one name look like another (Unicode Technical
 * Report 36, 2; CVE-2021-42574). Requests with them are refused. Only requests are parsed by these schemas, never
 * events.
 */
import { z } from 'zod'

/**
 * Control characters, line and paragraph separators, lone surrogates, noncharacters and default-ignorable characters,
 * which include all direction controls. Joiners and variation selectors are allowed: scripts and emoji need them.
 */
const UNSEEN =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}]|[\p{Default_Ignorable_Code_Point}--[\u200c\u200d\p{Variation_Selector}]]/v
const SEEN = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u
const ALL_UNSEEN = new RegExp(UNSEEN, 'gv')
const LINE_ENDS = /[\t\n\r]/g

const isReadable = (text: string): boolean => !UNSEEN.test(text) && SEEN.test(text)

/** One line; surrounding spaces are trimmed. @param most in code points */
export const nameSchema = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .refine(isReadable, 'must be one line without control, direction or invisible characters')

/** As `nameSchema`, but with several lines. */
export const reasonSchema = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .refine(
      (text) => isReadable(text.replaceAll(LINE_ENDS, ' ')),
      'must not have control, direction or invisible characters',
    )

/**
 * What a machine tells, which cannot be asked for another text: each character that a name may not have becomes U+FFFD.
 * @param most in UTF-16 code units
 */
export const machineText = (most: number) =>
  z
    .string()
    .max(most)
    .overwrite((text) => text.replaceAll(ALL_UNSEEN, '\ufffd'))
