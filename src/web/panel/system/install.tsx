import { Link } from 'wouter'
import type { SystemUpdates } from '#api-client/panel/schemas'
import { postSystemUpdatesApply } from '#api-client/panel/system'
import { Action } from '../../kit/action.tsx'
import { Fact, Notice } from '../../kit/controls.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'

type Ways = Pick<SystemUpdates, 'how' | 'available' | 'install'>

/** Offered where the panel can replace itself. */
export const Install = ({ how, available, install }: Ways) => (
  <Action
    operation={postSystemUpdatesApply}
    label="Install"
    title={`Install version ${available?.version}`}
    about={
      <>
        <p>The panel is away for up to two minutes. If the new version does not serve by then, this one comes back.</p>
        <p>The database is migrated first, and that is not taken back: take a backup before.</p>
      </>
    }
    fixed={{ version: available?.version }}
    isOffered={how === 'AGENT' && available !== null && install?.state !== 'RUNNING'}
    done="The version is being fetched"
  />
)

/** How the operator installs what is available, and why the panel does not. */
export const ByHand = ({ remedy, obstacle, install }: Pick<SystemUpdates, 'remedy' | 'obstacle' | 'install'>) =>
  remedy &&
  install?.state !== 'RUNNING' && (
    <Notice>
      <p>{remedy}.</p>
      {obstacle && <p className="soft">{obstacle.message}, so the panel does not install it itself.</p>}
    </Notice>
  )

export const NewestInstall = ({ install }: Pick<SystemUpdates, 'install'>) =>
  install && (
    <>
      <Fact label="Newest installation">
        {install.version}: {wordOf(install.state)}
        {install.code && ` with ${install.code}`}, <Time at={install.endedAt ?? install.askedAt} />
      </Fact>
      <Fact label="Its task">
        <Link href={`/servers/tasks/${install.taskId}`}>Follow it</Link>
      </Fact>
    </>
  )
