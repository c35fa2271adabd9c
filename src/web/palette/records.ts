/** The records that the palette finds, as the lists and searches of a surface answer them. */
import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Call } from '#api-client/call'
import { readPage } from '#api-client/paging'
import { useCan, useSession } from '../session/context.tsx'
import { matching } from './matching.ts'
import type { Entry } from './matching.ts'
import type { RecordSource } from './record-source.ts'

export interface FoundRecords {
  readonly entries: readonly Entry[]
  readonly isLooking: boolean
  readonly error: Error | undefined
  /** What a person has to know about what was looked through. */
  readonly notes: readonly string[]
}

/** A person who types on is not answered letter by letter. */
const SETTLED_MS = 250

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** @param text without spaces around it */
export function useRecords(sources: readonly RecordSource[], text: string): FoundRecords {
  const { call } = useSession()
  const can = useCan()
  const settled = useSettled(text)
  const allowed = sources.filter(({ operation }) => can(operation))
  const answers = useQueries({ queries: allowed.map((source) => queryOf(call, source, settled)) })
  const isSettled = settled === text
  const entries = allowed.flatMap(({ isSearch, entryOf }, nth) => {
    if (text === '' || (isSearch && !isSettled)) return []
    const found = (answers[nth]?.data?.items ?? []).flatMap((item) => entryOf(item, text) ?? [])
    return isSearch ? found : matching(found, text)
  })
  return {
    entries,
    isLooking: text !== '' && allowed.length > 0 && (!isSettled || answers.some(({ isLoading }) => isLoading)),
    error: answers.find(({ error }) => error)?.error ?? undefined,
    notes: allowed.map(({ about }, nth) =>
      answers[nth]?.data?.next
        ? `${about} Only the first ${answers[nth].data.items.length} are looked through.`
        : about,
    ),
  }
}

const queryOf = (call: Call, { operation, isSearch }: RecordSource, text: string) => {
  const input = isSearch ? { query: { q: text } } : {}
  return {
    queryKey: [`${operation.method} ${operation.path}`, input, 'palette'],
    enabled: text !== '',
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => readPage(call, operation, { ...input, signal }),
  }
}
