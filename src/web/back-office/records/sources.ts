/** What the palette finds besides pages. */
import { getAdminSearch } from '#api-client/licensing/bare'
import type { RecordSource } from '../../palette/record-source.ts'
import { PAGES } from '../pages.ts'
import { pathOf } from '../paths.ts'

export const RECORDS: readonly RecordSource[] = [
  {
    operation: getAdminSearch,
    isSearch: true,
    about: 'A record is found by its whole id, key id, e-mail address, reference or invoice number.',
    entryOf: ({ kind, id }: { kind: string; id: string }, text) => {
      const path = pathOf(kind, id)
      return path === undefined
        ? undefined
        : { group: 'Records', title: PAGES[pathOf(kind, ':id')!]!.title, detail: text, to: path }
    },
  },
]
