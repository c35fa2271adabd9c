/** The newest lines as a file. */
import { useState } from 'react'
import { getApplicationsByIdLogs } from '#api-client/panel/applications'
import { Button } from '../../kit/controls.tsx'
import { tell } from '../../kit/overlay.tsx'
import { RefusalNotice } from '../../kit/refusal.tsx'
import { saveFile } from '../../kit/reveal.tsx'
import { plainText } from '../../kit/sgr.ts'
import { useSession } from '../../session/context.tsx'
import { shownLine } from './log-stream.tsx'
import type { LogQuery } from './log-stream.tsx'

interface SaveLogProps {
  readonly id: string
  readonly query: LogQuery
  /** Of the file. */
  readonly name: string
}

/** As many as one answer has. */
const TAIL_MAX = 5_000

export function SaveLog({ id, query, name }: SaveLogProps) {
  const { call } = useSession()
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Error>()

  async function save(): Promise<void> {
    setBusy(true)
    setRefused(undefined)
    try {
      const asked = { params: { id }, query: { ...query, tail: TAIL_MAX } }
      const { lines, isCut } = (await call(getApplicationsByIdLogs, asked)).data
      const texts = lines.map(shownLine).map(({ at, by, text }) => [at, by, plainText(text)].filter(Boolean).join(' '))
      saveFile(`${name}.log`, `${texts.join('\n')}\n`)
      tell(isCut ? `The newest ${lines.length} lines are saved` : `${lines.length} lines are saved`)
    } catch (error) {
      setRefused(error as Error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <Button isBusy={isBusy} onClick={() => void save()}>
        Save as a file
      </Button>
      {refused && <RefusalNotice of={refused} />}
    </>
  )
}
