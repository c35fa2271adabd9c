/** Shows that a page failed, in place of an empty one. React asks for a class here. */
import { Component } from 'react'
import type { ReactNode } from 'react'
import { Button, Notice } from '../kit/controls.tsx'

interface Props {
  readonly children: ReactNode
}

interface State {
  readonly error?: Error
}

export class Failures extends Component<Props, State> {
  override state: State = {}

  static getDerivedStateFromError(error: Error): State {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (!error) return this.props.children
    return (
      <main className="page">
        <h1>This page failed</h1>
        <Notice tone="bad" isUrgent>
          <p>{error.message}</p>
        </Notice>
        <p>Nothing was changed by that. Load the page again; an older version may still be open after an update.</p>
        <div>
          <Button tone="main" onClick={() => location.reload()}>
            Load again
          </Button>
        </div>
      </main>
    )
  }
}
