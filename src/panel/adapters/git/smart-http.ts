/**
 * The branches of any server of git over HTTP.
 * Source: git's http-protocol, "Discovering References", and pack-protocol, "Reference Discovery".
 */
import { reject } from '#kernel/lib/rejection'
import { REF } from '../../../tasks/builds.ts'
import { BRANCHES_MAX } from './files.ts'
import { answerOfForge, isNamed } from './forge-calls.ts'
import type { ForgeConnection } from './forge-calls.ts'
import type { GitBranch } from './git-reader.ts'

const ADVERTISEMENT = 'application/x-git-upload-pack-advertisement'
const HEAD = 'refs/heads/'

interface Remote extends Pick<ForgeConnection, 'reach' | 'signal'> {
  readonly url: string
  /** Null: the repository is public. */
  readonly login: { readonly username: string; readonly password: string } | null
}

/** @throws Rejection 400 ADDRESS_REFUSED · 404 · 409 PROVIDER_REFUSED · PROVIDER_UNREACHABLE */
export async function remoteBranches({ url, login, ...connection }: Remote, search: string): Promise<GitBranch[]> {
  const basic = login && `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`
  const headers = { Accept: '*/*', ...(basic !== null && { Authorization: basic }) }
  const call = { method: 'GET' as const, url: `${url}/info/refs?service=git-upload-pack`, headers }
  // Of an answer of more than 1 MiB, the beginning is kept, and branches come before tags.
  const { headers: answered, body } = await answerOfForge(call, connection)
  if (answered['content-type'] !== ADVERTISEMENT)
    reject('conflict', 'What answers there is no repository of git', 'PROVIDER_REFUSED')
  return branchesIn(body)
    .filter(({ name }) => isNamed(name, search))
    .slice(0, BRANCHES_MAX)
}

function branchesIn(body: Buffer): GitBranch[] {
  const lines = linesIn(body)
  const symbolic = lines.map((line) => /[\0 ]symref=HEAD:refs\/heads\/(\S+)/.exec(line)?.[1])
  const standard = symbolic.find((name) => name !== undefined)
  return lines.flatMap((line) => {
    const [, commit, name] = /^([0-9a-f]{40}|[0-9a-f]{64}) ([^\0\n]+)/.exec(line) ?? []
    const branch = name?.startsWith(HEAD) ? name.slice(HEAD.length) : undefined
    return branch !== undefined && REF.test(branch)
      ? [{ name: branch, commit: commit!, isDefault: branch === standard }]
      : []
  })
}

/** Each line begins with its length in four hexadecimal digits, which count themselves. Those below 4 separate. */
function linesIn(body: Buffer): string[] {
  const lines: string[] = []
  for (let at = 0; at + 4 <= body.length;) {
    const length = Number.parseInt(body.toString('latin1', at, at + 4), 16)
    if (Number.isNaN(length) || at + length > body.length) break
    if (length > 4) lines.push(body.toString('utf8', at + 4, at + length))
    at += Math.max(4, length)
  }
  return lines
}
