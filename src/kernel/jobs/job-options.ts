/** Options of reactions and timers. */

export interface JobOptions {
  /**
   * Whether the job waits for other systems. Such jobs run in a lane of their own, so that a slow
   * system delays no other jobs.
   */
  readonly outside?: boolean
}

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/**
 * Names are part of job ids, table rows and metrics.
 * @throws Error for a name that is not spelled `like-this`
 */
export function validateJobName(name: string): string {
  if (!NAME.test(name)) throw new Error(`${name} is not a valid name of a reaction or timer: spell it like-this`)
  return name
}
