/** The page of all codes of errors: status, message, and the sections whose routes answer them. */
import type { ErrorCode } from '../../src/kernel/http/openapi/openapi.ts'
import { distinct, errorCodesIn } from './error-codes.ts'
import type { ReferencePart } from './index-page.ts'
import { code, page, table, titleOf } from './markdown.ts'
import { NOTICE } from './section-page.ts'

interface Answered extends ErrorCode {
  /** A link to the page of the section; empty where the code is known from the source alone. */
  readonly by: string
}

const SOURCES = ['src/kernel', 'src/licensing', 'src/panel']

const keyOf = ({ status, code: name }: ErrorCode): string => `${status} ${name}`

export function codesPage(parts: readonly ReferencePart[]): string {
  const ofAll = errorCodesIn('src/kernel/http').map((each) => ({ ...each, by: 'every section' }))
  const ofSource = SOURCES.flatMap(errorCodesIn).map((each) => ({ ...each, by: '' }))
  const answered = Map.groupBy([...ofAll, ...parts.flatMap(codesOf), ...ofSource], keyOf)
  return page(
    NOTICE,
    '# Error codes',
    'The header `Error-Code` of an error holds one of these codes. A program decides by the code, never by the message. The message says what is wrong and what to do; `…` stands for what differs from one answer to the next.',
    'A code may be listed for a section that never answers it, because the codes are read from the source that its routes run. Where no section stands, a rule that several routes share answers the code.',
    table(
      ['Status', 'Code', 'Meaning and remedy', 'Answered by'],
      distinct([...answered.values()].flat()).map((each) => [
        String(each.status),
        code(each.code),
        each.message,
        placesOf(answered.get(keyOf(each))!),
      ]),
    ),
  )
}

const codesOf = ({ name, pages }: ReferencePart): Answered[] =>
  pages.flatMap((section) =>
    section.routes
      .flatMap(({ codes }) => codes)
      .map((each) => ({ ...each, by: `[${titleOf(section.name)}](${name}/${section.name}.md)` })),
  )

const placesOf = (answered: readonly Answered[]): string =>
  [...new Set(answered.flatMap(({ by }) => (by === '' ? [] : by)))].join(', ')
