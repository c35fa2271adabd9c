/** What reactions and timers have in common. */

export interface JobOptions {
  /** Waits for strangers' servers, and is kept apart from what does not: a slow one holds nobody else up. */
  readonly outside?: boolean
}

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/** Names stand in job ids, in tables and in figures. @throws Error for another spelling than `like-this` */
export function validateJobName(name: string): string {
  if (!NAME.test(name)) throw new Error(`${name} is no name for a reaction or a timer`)
  return name
}
