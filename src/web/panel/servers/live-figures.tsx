import { Fact, Figures } from '../../kit/controls.tsx'
import { usedParts, useLoads } from './load.tsx'

interface LiveFiguresProps {
  readonly serverId: string
}

/** What the host uses, by the newest beat of its agent. */
export function LiveFigures({ serverId }: LiveFiguresProps) {
  const parts = usedParts(useLoads().get(serverId))
  if (!parts) return null
  return (
    <Figures>
      {parts.map(({ label, text, percent }) => (
        <Fact key={label} label={`${label}: ${text}`}>
          {Math.round(percent)} %
          <progress className="progress" max={100} value={percent} aria-label={label} />
        </Fact>
      ))}
    </Figures>
  )
}
