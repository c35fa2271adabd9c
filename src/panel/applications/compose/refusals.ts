/** Refusals of a Compose file. Each names the place in the file and the rule. */
import type { z } from 'zod'
import { reject } from '#kernel/lib/rejection'

export type Place = readonly PropertyKey[]

const PLACE_CHARS_MAX = 200

/** Keys that would give a container rights over its host, or that read files of the host. All others have UNKNOWN_KEY. */
const RULE_OF_KEY: Readonly<Record<string, string>> = {
  privileged: 'PRIVILEGED',
  network_mode: 'HOST_NETWORK',
  pid: 'HOST_PID',
  ipc: 'HOST_IPC',
  uts: 'HOST_UTS',
  userns_mode: 'HOST_USERS',
  cgroup: 'HOST_CGROUP',
  cgroup_parent: 'HOST_CGROUP',
  cap_add: 'CAP_ADD',
  devices: 'DEVICES',
  device_cgroup_rules: 'DEVICES',
  gpus: 'DEVICES',
  security_opt: 'SECURITY_OPT',
  driver: 'DRIVER_OPTS',
  driver_opts: 'DRIVER_OPTS',
  external: 'EXTERNAL',
  external_links: 'EXTERNAL',
  volumes_from: 'EXTERNAL',
  env_file: 'ENV_FILE',
  extends: 'OTHER_FILE',
  include: 'OTHER_FILE',
  networks: 'NETWORKS',
}

/** @throws Rejection 400 COMPOSE_REFUSED */
export function refuseCompose(place: Place, rule: string, why: string): never {
  const path = place.map(String).join('.').slice(0, PLACE_CHARS_MAX) || 'the whole file'
  return reject('invalid', `The Compose file is refused at ${path}, by the rule ${rule}: ${why}`, 'COMPOSE_REFUSED')
}

/** An issue with a rule of its own. */
export function issue(context: z.RefinementCtx, rule: string, message: string): never {
  context.addIssue({ code: 'custom', message, params: { rule } })
  return undefined as never
}

/** @throws Rejection 400 COMPOSE_REFUSED for the first of them */
export function refuseIssues(issues: readonly z.core.$ZodIssue[], above: Place = []): never {
  const first = issues[0]!
  const place = [...above, ...first.path]
  if (first.code === 'invalid_union') return refuseIssues(nearestOf(first.errors), place)
  if (first.code === 'unrecognized_keys') return refuseKey(place, first.keys[0]!)
  const rule = first.code === 'custom' ? first.params?.['rule'] : undefined
  return refuseCompose(place, typeof rule === 'string' ? rule : 'FORM', first.message)
}

function refuseKey(place: Place, key: string): never {
  const rule = Object.hasOwn(RULE_OF_KEY, key) ? RULE_OF_KEY[key]! : 'UNKNOWN_KEY'
  return refuseCompose([...place, key], rule, 'this key is not allowed here')
}

/** Of the forms that a value may have, the issues of the one that it comes nearest to. */
const nearestOf = (forms: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] =>
  forms.find((issues) => issues.some(({ code }) => code === 'custom')) ??
  forms.find((issues) => issues.every(({ code, path }) => code !== 'invalid_type' || path.length > 0)) ??
  forms[0]!
