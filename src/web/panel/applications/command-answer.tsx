/** What a command has answered: how it ended, and its two outputs. */
import { Notice, ToneText } from '../../kit/controls.tsx'
import { SCROLLED } from '../../kit/log.tsx'
import { plainText } from '../../kit/sgr.ts'
import { Time } from '../../kit/time.tsx'
import { Argv } from './command-field.tsx'
import type { Answered } from './command.tsx'

export function CommandAnswer({ of: { command, at, outcome } }: { readonly of: Answered }) {
  const { stdout, stderr, truncated } = outcome
  return (
    <article className="stack" aria-label={command.join(' ')}>
      <div className="row">
        <Argv of={command} />
        <End of={outcome} />
        <Time at={at} />
      </div>
      {truncated && (
        <Notice tone="warn">
          <p>It has said more than is shown: each output is cut at 256 KiB.</p>
        </Notice>
      )}
      <Output label="Standard output" text={stdout} />
      <Output label="Error output" text={stderr} />
      {stdout === '' && stderr === '' && <p className="soft">It has said nothing.</p>}
    </article>
  )
}

function End({ of: { exitCode, timedOut, ms } }: { readonly of: Answered['outcome'] }) {
  const took = ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`
  if (timedOut) return <ToneText tone="bad">Its time was over, and it was ended after {took}</ToneText>
  if (exitCode === null) return <ToneText tone="bad">It was ended after {took}</ToneText>
  return <ToneText tone={exitCode === 0 ? 'good' : 'bad'}>{`Exit code ${exitCode} after ${took}`}</ToneText>
}

function Output({ label, text }: { readonly label: string; readonly text: string | undefined }) {
  if (text === undefined) return <p className="soft">{label}: shown before, and not again.</p>
  if (text === '') return null
  return (
    <div className="field">
      <h3>{label}</h3>
      <section {...SCROLLED} aria-label={label} className="scrolled">
        <pre>{text.split('\n').map(plainText).join('\n')}</pre>
      </section>
    </div>
  )
}
