/** Asks the panel, as long as it does not answer, whether what a cancel does not take back may begin. */
import { backOff } from './back-off.ts'
import type { BackOffLimits } from './back-off.ts'
import { isPassing } from './panel-client.ts'
import type { PanelClient } from './panel-client.ts'
import { TaskFailure } from './performer.ts'

export interface CommitDependencies {
  readonly panel: Pick<PanelClient, 'progress'>
  readonly limits?: BackOffLimits | undefined
}

/**
 * @param stop aborted where the panel answers that the task is cancelled @returns false: not by this task
 * @throws TaskFailure NOT_AGREED if the panel refuses the question · the reason of `signal`
 */
export async function mayCommit(
  { taskId, attempt }: { readonly taskId: string; readonly attempt: number },
  { panel, limits }: CommitDependencies,
  stop: AbortController,
  signal: AbortSignal,
): Promise<boolean> {
  const pause = backOff(limits)
  for (;;) {
    signal.throwIfAborted()
    try {
      const { cancel, mayCommit: may = false } = await panel.progress(
        taskId,
        { attempt, lines: [], commits: true },
        signal,
      )
      if (cancel) stop.abort()
      signal.throwIfAborted()
      return may
    } catch (error) {
      signal.throwIfAborted()
      if (!isPassing(error)) throw new TaskFailure('NOT_AGREED', 'The panel does not know the task that would go on')
      await pause.wait(signal)
    }
  }
}
