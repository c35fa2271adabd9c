/** Runs programs in the containers of an application: what was asked stands beside what was answered. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { DataOf } from '#api-client/operation'
import { postApplicationsByIdExec } from '#api-client/panel/applications'
import type { Application } from '#api-client/panel/schemas'
import { Part } from '../../kit/controls.tsx'
import { OperationForm } from '../../kit/form.tsx'
import { ApplicationPage } from './application-page.tsx'
import { CommandAnswer } from './command-answer.tsx'
import { useCommandInputs } from './command-inputs.tsx'
import { usePreviewChoice } from './preview-choice.tsx'

export default function ApplicationCommand() {
  return <ApplicationPage needs={postApplicationsByIdExec}>{(of) => <Consoles of={of} />}</ApplicationPage>
}

export interface Answered {
  readonly nth: number
  readonly command: readonly string[]
  readonly at: string
  readonly outcome: DataOf<typeof postApplicationsByIdExec>
}

/** What a program says is kept nowhere but in the page. */
const ANSWERS_MAX = 20
const FIELDS = ['command', 'service', 'replica', 'stdin', 'timeoutSeconds']

function Consoles({ of }: { readonly of: Application }) {
  const { previewId, choice } = usePreviewChoice(of)
  return <Console key={previewId} of={of} previewId={previewId} choice={choice} />
}

interface ConsoleProps {
  readonly of: Application
  readonly previewId: string | null
  readonly choice: ReactNode
}

function Console({ of: { id }, previewId, choice }: ConsoleProps) {
  const [answered, setAnswered] = useState<readonly Answered[]>([])
  const inputs = useCommandInputs(id, previewId)
  return (
    <>
      <Part title="Run a command">
        <p>
          It runs within a container, with the rights and the variables of that container. Who has run what is recorded;
          what it answers is not kept.
        </p>
        {choice && <search className="filters">{choice}</search>}
        <OperationForm
          operation={postApplicationsByIdExec}
          input={{ params: { id } }}
          order={FIELDS}
          fixed={{ previewId }}
          labels={{ timeoutSeconds: 'Seconds that it may take' }}
          inputs={inputs}
          submit="Run"
          onDone={(outcome, { command }) =>
            setAnswered((before) =>
              [
                {
                  nth: (before[0]?.nth ?? 0) + 1,
                  command: command as readonly string[],
                  at: new Date().toISOString(),
                  outcome,
                },
                ...before,
              ].slice(0, ANSWERS_MAX),
            )
          }
        />
      </Part>
      <Part title="Answers">
        {answered.length === 0 && <p className="soft">What a command has answered stands here until you leave.</p>}
        {answered.map((each) => (
          <CommandAnswer key={each.nth} of={each} />
        ))}
      </Part>
    </>
  )
}
