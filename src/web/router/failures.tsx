/** Shows that a page failed, in place of an empty one; the rest of the frame stays. React asks for a class here. */
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
      <div className="page">
        <h1>{isOfUpdate(error) ? 'There is a newer version of these pages' : 'This page failed'}</h1>
        {!isOfUpdate(error) && (
          <Notice tone="bad" isUrgent>
            <p>{error.message}</p>
          </Notice>
        )}
        <p>Nothing was changed by that. Load the page again.</p>
        <div>
          <Button tone="main" onClick={() => location.reload()}>
            Load again
          </Button>
        </div>
      </div>
    )
  }
}

/** The file of a page is gone after an update; each browser says so in words of its own. */
const isOfUpdate = (error: Error): boolean => error instanceof TypeError && /import|module/i.test(error.message)
