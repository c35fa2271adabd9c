/** The stages that records go through one after another, side by side, each with its records. */
import type { ReactNode } from 'react'

export interface Stage {
  readonly title: string
  /** What a record in this stage does. */
  readonly about: string
  readonly items: readonly ReactNode[]
}

export const Stages = ({ label, stages }: { readonly label: string; readonly stages: readonly Stage[] }) => (
  <ol className="stages" aria-label={label}>
    {stages.map(({ title, about, items }) => (
      <li key={title}>
        <h3>{title}</h3>
        <p className="small soft">{about}</p>
        {items.length > 0 ? items : <p className="small soft">None</p>}
      </li>
    ))}
  </ol>
)
