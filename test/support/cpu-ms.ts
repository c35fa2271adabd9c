/**
 * CPU time of this process for the work, in ms and on all threads. In contrast to the clock, it does not
 * count other processes.
 */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
