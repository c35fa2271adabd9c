/** Containers as a release makes them, of an image with the programs of busybox. */
import { spawnSync } from 'node:child_process'
import { LABELS } from '../../src/tasks/labels.ts'
import type { TestEngine } from './docker-engine.ts'

const PROGRAM = '/bin/busybox'
const IMAGE = 'programs'

function programTar(): Buffer {
  const linked = spawnSync('ldd', [PROGRAM], { encoding: 'utf8' }).stdout
  const libraries = [...linked.matchAll(/(\/\S+) \(/g)].map(([, path]) => path!)
  const args = ['-chP', '--transform', 's,^/,,', PROGRAM, ...libraries]
  return spawnSync('tar', args, { maxBuffer: 64 * 1_024 ** 2 }).stdout
}

interface WorkloadPlace {
  readonly installation: string
  readonly workload: { readonly kind: string; readonly id: string }
  readonly deploymentId: string
  readonly service?: string
  readonly replica?: number
}

/** @returns its id. It runs */
export type StartContainer = (
  place: WorkloadPlace,
  script: string,
  more?: { readonly Env?: readonly string[]; readonly Labels?: Readonly<Record<string, string>> },
) => Promise<string>

export async function workloadContainers({ api }: Pick<TestEngine, 'api'>): Promise<StartContainer> {
  await api('POST', `/images/create?fromSrc=-&repo=${IMAGE}`, programTar())
  return async ({ installation, workload, deploymentId, service = 'app', replica = 1 }, script, more = {}) => {
    const labels = {
      [LABELS.installation]: installation,
      [LABELS.workload]: `${workload.kind}/${workload.id}`,
      [LABELS.deployment]: deploymentId,
      [LABELS.service]: service,
      [LABELS.replica]: String(replica),
      ...more.Labels,
    }
    const made = {
      Image: IMAGE,
      Cmd: [PROGRAM, 'sh', '-c', script],
      Labels: labels,
      Env: more.Env,
      StopSignal: 'SIGKILL',
    }
    const { Id } = await api('POST', '/containers/create', made)
    await api('POST', `/containers/${Id}/start`)
    return Id
  }
}
