import { UniqueConstraintViolation } from '../events/store-port.ts'

/**
 * Runs `work` again when a concurrent request took a unique constraint first: then it finds what that request stored.
 * @param violationsMax how often that can happen for a good reason: once for each constraint that `work` takes
 * @throws UniqueConstraintViolation after one more, and all other errors of `work`
 */
export async function retryConstraintViolations<Result>(
  violationsMax: number,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let violations = 0; ; violations += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof UniqueConstraintViolation) || violations === violationsMax) throw error
    }
  }
}
