/** Answers reads of the host: at once, without a journal, because nothing comes of a read that is repeated or lost. */
import type { ReadAsk } from '../tasks/envelope.ts'
import type { ResultBody } from '../tasks/protocol.ts'
import { ANSWER_BYTES_MAX } from '../tasks/protocol.ts'
import type { BoxKeys } from '../tasks/sealed-box.ts'
import { failed } from './journal.ts'
import type { TaskEnd } from './journal.ts'
import { TaskFailure } from './performer.ts'
import type { Asker } from './performer.ts'
import { openSecrets, UNOPENED } from './secrets.ts'

export interface AskRunnerDependencies {
  readonly askers: ReadonlyMap<string, Asker>
  readonly boxKeys: BoxKeys
  tell(askId: string, body: ResultBody): Promise<unknown>
}

/** Resolves when the panel has the answer, or cannot have it. */
export async function answerAsk(ask: ReadAsk, parts: AskRunnerDependencies, stopped: AbortSignal): Promise<void> {
  const end = await endOf(ask, parts, stopped)
  await parts.tell(ask.askId, { ...end, attempt: 1, lastSeq: 0 })
}

async function endOf(ask: ReadAsk, parts: AskRunnerDependencies, stopped: AbortSignal): Promise<TaskEnd> {
  const { askId, kind, params } = ask
  const secrets = openSecrets(ask.secrets, parts.boxKeys, { taskId: askId, attempt: 1 })
  if (secrets === UNOPENED) return failed('REFUSED_SECRETS', 'The secrets of the ask were sealed for another agent')
  const signal = AbortSignal.any([AbortSignal.timeout(kind.waitMs), stopped])
  try {
    const answer = kind.answer.safeParse(await parts.askers.get(kind.name)!.answer(params, { secrets, signal }))
    if (!answer.success) return failed('BAD_RESULT', 'The answer does not have the form of its kind')
    if (Buffer.byteLength(JSON.stringify(answer.data)) > ANSWER_BYTES_MAX)
      return failed('RESULT_TOO_LARGE', `The answer is longer than ${ANSWER_BYTES_MAX} bytes`)
    return { outcome: 'SUCCEEDED', result: answer.data as never }
  } catch (error) {
    // The words of other errors may hold secrets.
    return error instanceof TaskFailure ? failed(error.code, error.message) : failed('INTERNAL', 'The read failed')
  }
}
