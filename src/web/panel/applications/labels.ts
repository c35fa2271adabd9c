/** Words of the forms of applications. */
export const AMOUNTS: Readonly<Record<string, string>> = {
  port: 'Port of HTTP',
  replicas: 'Containers side by side',
  memoryMiB: 'Memory of each in MiB',
  cpuMillis: 'Thousandths of a CPU of each',
  drainSeconds: 'Seconds for open requests',
  stopSeconds: 'Seconds to stop',
  buildTimeoutSeconds: 'Seconds of a build',
  keepImages: 'Images that stay',
  command: 'Program and arguments',
}
