/** Buttons, links, states and notices. */
import { useId } from 'react'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Link } from 'wouter'
import { HeadTitle } from './page-actions.ts'
import { labelOf, markOf, toneOf, wordOf } from './words.ts'
import type { Tone } from './words.ts'

export type ButtonTone = 'main' | 'plain' | 'quiet' | 'bad'

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  readonly tone?: ButtonTone
  /** For the button that does what cannot come back. */
  readonly isFinal?: boolean | undefined
  /** What it does is under way: a press does nothing. It keeps the focus, which `disabled` would take from the keyboard. */
  readonly isBusy?: boolean | undefined
}

export const Button = ({ tone = 'plain', isFinal, isBusy, type = 'button', onClick, ...more }: ButtonProps) => (
  <button
    {...more}
    type={type}
    className="button"
    data-tone={tone}
    data-is-final={isFinal || undefined}
    aria-disabled={isBusy || undefined}
    onClick={isBusy ? (event) => event.preventDefault() : onClick}
  />
)

interface LinkProps {
  readonly to: string
  readonly children: ReactNode
  readonly tone?: ButtonTone
}

export const ButtonLink = ({ to, tone = 'plain', children }: LinkProps) => (
  <Link href={to} className="button" data-tone={tone}>
    {children}
  </Link>
)

/** A state as a word with a mark and a tone: the tone is never the only sign. */
export function State({ of }: { readonly of: string | null | undefined }) {
  if (!of) return <span className="soft">–</span>
  return <ToneText tone={toneOf(of)}>{wordOf(of)}</ToneText>
}

export const ToneText = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) => (
  <span className="tone" data-tone={tone}>
    <span aria-hidden="true">{markOf(tone)}</span>
    {children}
  </span>
)

interface NoticeProps {
  readonly tone?: Tone
  /** A refusal or a warning is read aloud at once. */
  readonly isUrgent?: boolean
  readonly children: ReactNode
}

export const Notice = ({ tone = 'quiet', isUrgent = false, children }: NoticeProps) => (
  <div className="notice" data-tone={tone} role={isUrgent ? 'alert' : undefined}>
    {children}
  </div>
)

export interface FactProps {
  readonly label: string
  readonly children: ReactNode
}

export const Facts = ({ children }: { readonly children: ReactNode }) => <dl className="facts">{children}</dl>

export const Fact = ({ label, children }: FactProps) => (
  <div>
    <dt>{label}</dt>
    <dd>{children ?? <span className="soft">–</span>}</dd>
  </div>
)

export const Figures = ({ children }: { readonly children: ReactNode }) => <dl className="figures">{children}</dl>

interface PartProps {
  readonly title: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A part of a page under a heading. */
export function Part({ title, actions, children }: PartProps) {
  const id = useId()
  return (
    <section className="part" aria-labelledby={id}>
      <div className="part-head">
        <h2 id={id}>{title}</h2>
        {actions && (
          <div className="row">
            <HeadTitle value={title}>{actions}</HeadTitle>
          </div>
        )}
      </div>
      {children}
    </section>
  )
}

/** Says what would be here, and offers the operation that makes it. */
export const Empty = ({ children, action }: { readonly children: ReactNode; readonly action?: ReactNode }) => (
  <div className="empty">
    <p className="soft">{children}</p>
    {action}
  </div>
)

/** Any JSON value of an answer, as text for people. */
export function Value({ of }: { readonly of: unknown }) {
  if (of === undefined || of === null || of === '' || (Array.isArray(of) && of.length === 0))
    return <span className="soft">–</span>
  if (typeof of === 'boolean') return of ? 'yes' : 'no'
  if (typeof of === 'string' || typeof of === 'number') return String(of)
  if (Array.isArray(of))
    return of.every(isPlain) ? of.join(', ') : <Lines of={of.map((each, nth) => [nth + 1, each])} />
  return <Lines of={Object.entries(of)} />
}

const isPlain = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'

const Lines = ({ of }: { readonly of: readonly (readonly [string | number, unknown])[] }) => (
  <dl className="diff">
    {of.map(([name, value]) => (
      <div key={name} style={{ display: 'contents' }}>
        <dt>{typeof name === 'number' ? name : labelOf(name)}</dt>
        <dd>
          <Value of={value} />
        </dd>
      </div>
    ))}
  </dl>
)
