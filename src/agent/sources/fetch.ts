/** Fetches the source of a deployment. */
import { dirname } from 'node:path'
import { getCACertificates } from 'node:tls'
import type { z } from 'zod'
import { FetchSecrets, gitFetch } from '../../tasks/builds.ts'
import type { SourceFacts } from '../../tasks/builds.ts'
import type { AgentHost } from '../host/setup.ts'
import { performer, TaskFailure } from '../performer.ts'
import type { Performer, Work } from '../performer.ts'
import { openDirectory } from './beneath.ts'
import { gitConnection } from './connection.ts'
import type { Reach } from './connection.ts'
import { exportTree } from './export-tree.ts'
import { sourceFacts } from './facts.ts'
import { gitAddress } from './git-address.ts'
import { fetchRef, isChanged, openRepository } from './repository.ts'
import type { Repository } from './repository.ts'
import {
  loginDirectory,
  removeOthers,
  repositoryDirectory,
  sourceDirectory,
  sweepSources,
} from './source-directories.ts'

const SUBJECT_MAX = 300
const UNSEEN = /\p{Cc}/gu

type Payload = z.output<typeof gitFetch.payload>

/** @param reach by default the authorities that NODE_EXTRA_CA_CERTS names */
export const fetchPerformer = ({ directory }: Pick<AgentHost, 'directory'>, reach: Partial<Reach> = {}): Performer =>
  performer(
    gitFetch,
    async (work) => {
      const { payload, signal, isResumed, say } = work
      const secrets = FetchSecrets.parse(work.secrets)
      const address = gitAddress(payload.url)
      const own = repositoryDirectory(directory, payload.workload, address.url)
      await sweepSources(directory, payload.workload)
      await removeOthers(own)
      const repository = await openRepository(own, isResumed, signal)
      const by = await gitConnection({
        address,
        secrets,
        directory: dirname(own),
        login: loginDirectory(own),
        by: { roots: getCACertificates('extra'), ...reach },
      })
      try {
        await say(`Fetching ${payload.ref} of ${address.url}`)
        const heard = { signal, hear: (said: string) => work.write('ERR', said) }
        const { commit, ...head } = await fetchRef(repository, by, payload.ref, heard)
        const subject = head.subject.replaceAll(UNSEEN, ' ').slice(0, SUBJECT_MAX)
        await say(`Commit ${commit} ${subject}`)
        const changed = await isChanged(repository, by, commit, payload.watch, heard)
        const hostKey = await by.hostKey()
        return { commit, subject, changed, hostKey, facts: await exported(directory, repository, commit, work) }
      } finally {
        await by.close()
      }
    },
    {
      redacts(secrets) {
        const { login } = FetchSecrets.parse(secrets)
        return login.kind === 'PASSWORD' ? [login.password] : login.kind === 'KEY' ? [login.privateKey] : []
      },
    },
  )

async function exported(
  directory: string,
  repository: Repository,
  commit: string,
  { payload, signal }: Work<Payload>,
): Promise<SourceFacts> {
  const to = sourceDirectory(directory, payload.workload, payload.deploymentId)
  await removeOthers(to)
  await exportTree(repository, commit, to, signal)
  const opened = await openDirectory(to, payload.directory).catch(() => {
    throw new TaskFailure('NO_SUCH_DIRECTORY', `The commit has no directory ${payload.directory}`)
  })
  return sourceFacts(opened).finally(() => opened.close())
}
