/** What git says of a fetch that failed, by its own words and those of ssh, in the language C. */
import { TaskFailure } from '../performer.ts'

const KNOWN = [
  [
    /^(?:fatal: )?(?:couldn't find remote ref|remote error: upload-pack: not our ref|.*not our ref )|unadvertised object/m,
    'NO_SUCH_REF',
  ],
  [/Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/, 'HOST_KEY_CHANGED'],
  [/unable to update url base from redirection|error: 30\d/, 'REDIRECTED'],
  [/^fatal: fsck error|error: object [0-9a-f]+: |fatal: index-pack failed|mismatched algorithms/m, 'REFUSED_SOURCE'],
  [
    /Authentication failed|could not read (?:Username|Password)|error: 40[134]|Permission denied|invalid format|error in libcrypto/,
    'LOGIN_REFUSED',
  ],
  [/^fatal: repository '.*' not found|does not appear to be a git repository|correct access rights/m, 'LOGIN_REFUSED'],
] as const

/** Connections that end before ssh has signed in end with the words of an unreadable repository too. */
const UNCONNECTED = /^(?:ssh: |kex_exchange_identification|Connection (?:closed|reset|timed out)|ssh_exchange)/m

export function fetchFailure(said: string, host: string): TaskFailure {
  const code = UNCONNECTED.test(said) ? undefined : KNOWN.find(([words]) => words.test(said))?.[1]
  if (code === 'NO_SUCH_REF') return noSuchRef()
  if (code === 'HOST_KEY_CHANGED')
    return new TaskFailure(code, `${host} shows another host key than the one that is pinned`)
  if (code === 'REDIRECTED')
    return new TaskFailure('UNREACHABLE', `${host} leads to another address: use the address that it leads to`)
  if (code === 'REFUSED_SOURCE')
    return new TaskFailure(code, 'The repository has objects that git refuses: the log of the task says which')
  if (code === 'LOGIN_REFUSED')
    return new TaskFailure(code, `${host} shows no repository at this address to this login`)
  return new TaskFailure('UNREACHABLE', `${host} did not let git fetch: the log of the task says why`)
}

export const noSuchRef = (): TaskFailure =>
  new TaskFailure('NO_SUCH_REF', 'The repository has neither a branch nor a tag nor a commit of this name')
