/** What is shown only once: it stays until the person says that it is kept. */
import { useRef, useState } from 'react'
import { Button, Notice } from './controls.tsx'
import { Dialog } from './overlay.tsx'

export interface Secret {
  readonly label: string
  /** Undefined in a replayed answer: it was shown before. */
  readonly text: string | undefined
  /** The name of a file to keep it in. */
  readonly file?: string | undefined
}

interface RevealProps {
  readonly secrets: readonly Secret[]
  readonly onClose: () => void
  readonly title?: string
}

export const Reveal = ({ secrets, onClose, title = 'Shown only now' }: RevealProps) => (
  <Dialog title={title} isOpen onClose={onClose} isKept>
    <Notice tone="warn">
      <p>Keep this now: it is not shown again.</p>
    </Notice>
    {secrets.map((secret) => (
      <SecretText key={secret.label} {...secret} />
    ))}
    <div className="dialog-buttons">
      <Button tone="main" onClick={onClose}>
        I have kept it
      </Button>
    </div>
  </Dialog>
)

export function SecretText({ label, text, file }: Secret) {
  if (text === undefined)
    return <p>{label}: shown before, and not again. An operation that makes a new one shows that one.</p>
  return <ShownText label={label} text={text} file={file} />
}

function ShownText({ label, text, file }: Secret & { readonly text: string }) {
  const { place, copy, said } = useCopy<HTMLPreElement>(text)
  return (
    <div className="field">
      <h3>{label}</h3>
      <pre ref={place}>{text}</pre>
      <div className="row">
        <Button onClick={copy}>Copy</Button>
        {file && <Button onClick={() => saveFile(file, text)}>Save as a file</Button>}
        <output className="small soft">{said}</output>
      </div>
    </div>
  )
}

/** A short text that is looked for elsewhere, such as the id of a request. */
export function CopyText({ label, text }: { readonly label: string; readonly text: string }) {
  const { place, copy, said } = useCopy<HTMLElement>(text)
  return (
    <p className="row small">
      {label} <code ref={place}>{text}</code>
      <Button tone="quiet" onClick={copy}>
        Copy
      </Button>
      <output className="soft">{said}</output>
    </p>
  )
}

/** @returns `place`: the element that shows the text; `said`: what became of the copy */
function useCopy<Place extends HTMLElement>(text: string) {
  const place = useRef<Place>(null)
  const [said, setSaid] = useState('')
  return { place, copy: () => void copied(text, place.current).then(setSaid), said }
}

/** A page over plain http from another machine has no clipboard: the text is selected instead. */
async function copied(text: string, place: HTMLElement | null): Promise<string> {
  try {
    await navigator.clipboard.writeText(text)
    return 'Copied'
  } catch {
    // Absent, or denied.
  }
  if (place) getSelection()?.selectAllChildren(place)
  return 'Selected: press Ctrl+C to copy'
}

export function saveFile(name: string, content: BlobPart, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
