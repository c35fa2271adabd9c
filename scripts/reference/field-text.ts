/** A field of a schema as cells of a table. */
import type { Field } from '../../src/kernel/http/openapi/schema-fields.ts'
import { code } from './markdown.ts'

const VALUES_MAX = 12

/** A long list of values is cut: the OpenAPI document has all. */
export function typeText({ type }: Field): string {
  const parts = type.split(' | ').map((part) => (part.startsWith('"') ? code(part.slice(1, -1)) : part))
  if (parts.length <= VALUES_MAX) return parts.join(', ').replace(/, ([^,]*)$/, ' or $1')
  return `${parts.slice(0, VALUES_MAX).join(', ')} or one of ${parts.length - VALUES_MAX} more`
}

export function rulesText({ required, rules, description = '' }: Field): string {
  const [bounds, fallback] = rules.split(/,? ?default /)
  const marked = (bounds ?? '').replace(/matches (.*)$/, (_all, pattern: string) => `matches ${code(pattern)}`)
  const parts = [required ? 'required' : '', marked, fallback === undefined ? '' : `default ${code(fallback)}`]
  return [parts.filter(Boolean).join(', '), description].filter(Boolean).join('. ')
}

/** The items of a list of texts or numbers say nothing that the list does not. */
export const hasNews = ({ name, rules, description }: Field): boolean =>
  !name.endsWith('[]') || rules !== '' || description !== undefined
