/** The head of a page, and a page about one record. */
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Refusal } from '#api-client/refusal'
import { Button } from './controls.tsx'
import { HeadTitle } from './page-actions.ts'
import { RefusalNotice } from './refusal.tsx'

interface PageProps {
  readonly title: string
  /** What is above it, such as the list of a record. */
  readonly parent?: { readonly to: string; readonly title: string }
  /** Beside the title, such as the state of a record. */
  readonly state?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** The title of the tab and of the entry in the browser's history. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title
  }, [title])
}

export function Page({ title, parent, state, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useTitle(`${title} · Daybook`)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className="page">
      <header className="page-head">
        <div>
          {parent && (
            <nav className="page-path" aria-label="Above">
              <Link href={parent.to}>{parent.title}</Link>
            </nav>
          )}
          <div className="row">
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {state}
          </div>
        </div>
        {actions && (
          <div className="row">
            <HeadTitle value={title}>{actions}</HeadTitle>
          </div>
        )}
      </header>
      {children}
    </div>
  )
}

interface RecordPageProps<Data> extends Omit<PageProps, 'title' | 'children' | 'state' | 'actions'> {
  /** Shown until the record is here. */
  readonly kind: string
  readonly answer: UseQueryResult<Data>
  /** Said meanwhile, where an answer takes seconds. */
  readonly loading?: string
  /** Said in place of a record that is not there any more, or not open to the person any more. */
  readonly gone?: string
  readonly title: (data: Data) => string
  readonly state?: (data: Data) => ReactNode
  readonly actions?: (data: Data) => ReactNode
  readonly children: (data: Data) => ReactNode
}

/** Of an answer: what was read before is no longer true, or no longer for the person to see. */
const GONE = [403, 404]
const isGone = (error: Error | null): boolean => error instanceof Refusal && GONE.includes(error.statusCode)

export function RecordPage<Data>({
  kind,
  answer,
  loading,
  gone,
  title,
  state,
  actions,
  children,
  parent,
}: RecordPageProps<Data>) {
  const { data, error } = answer
  if (data === undefined || data === null || isGone(error))
    return (
      <Page title={kind} {...(parent && { parent })}>
        {error ? <Failed of={error} gone={gone} again={() => void answer.refetch()} /> : <Loading text={loading} />}
      </Page>
    )
  return (
    <Page title={title(data)} {...(parent && { parent })} state={state?.(data)} actions={actions?.(data)}>
      {children(data)}
    </Page>
  )
}

/** What an answer shows, once it is here. */
export function Shown<Data>({
  answer,
  children,
}: {
  readonly answer: UseQueryResult<Data>
  readonly children: (data: NonNullable<Data>) => ReactNode
}) {
  const { data, error } = answer
  if (data !== undefined && data !== null) return children(data)
  return error ? <Failed of={error} again={() => void answer.refetch()} /> : <Loading />
}

interface FailedProps {
  readonly of: Error
  readonly gone?: string | undefined
  readonly again: () => void
}

/** What was refused, and the way to ask again. */
export function Failed({ of, gone = 'There is nothing here, or it is not yours to see.', again }: FailedProps) {
  if (of instanceof Refusal && of.statusCode === 404) return <p className="soft">{gone}</p>
  return (
    <div className="empty">
      <RefusalNotice of={of} />
      <Button onClick={again}>Try again</Button>
    </div>
  )
}

/** Answers take milliseconds: nothing moves, and nothing is drawn that would jump away. */
export const Loading = ({ text }: { readonly text?: string | undefined }) => (
  <output className={text === undefined ? 'only-read' : 'soft'}>{text ?? 'Loading'}</output>
)
