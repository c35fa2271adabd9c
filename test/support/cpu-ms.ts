/** CPU time that this process spends on the work, in ms and on all threads: unlike the clock on the wall it counts nobody else's work. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
