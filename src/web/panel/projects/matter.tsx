import type { ReactNode } from 'react'
import { Part } from '../../kit/controls.tsx'

interface MatterProps {
  readonly title: string
  readonly about: string
  readonly children: ReactNode
}

/** One change that is rarely made, with what follows from it. */
export const Matter = ({ title, about, children }: MatterProps) => (
  <Part title={title} actions={children}>
    <p className="soft">{about}</p>
  </Part>
)
