import { postEngineServersByServerIdContainersAction } from '#api-client/panel/engine'
import type { EngineContainer } from '#api-client/panel/schemas'
import { Action } from '../../kit/action.tsx'
import { Actions } from '../../kit/actions.tsx'
import { outcomeOf } from '../agent/outcome.ts'
import { isFree } from './owner.tsx'

interface ContainerActionsProps {
  readonly serverId: string
  readonly container: EngineContainer
}

const ACTIONS = {
  start: { label: 'Start', done: 'The container runs' },
  stop: {
    label: 'Stop',
    about: 'It is asked to end, and killed after ten seconds. Its data stays.',
    done: 'The container is stopped',
  },
  restart: {
    label: 'Restart',
    about: 'It is stopped and started. What uses it waits meanwhile.',
    done: 'The container runs again',
  },
  kill: {
    label: 'Kill',
    about: 'It ends at once, and saves nothing.',
    done: 'The container is killed',
    isBad: true,
  },
  remove: {
    label: 'Remove',
    about: 'What it has written outside of volumes is lost.',
    done: 'The container is removed',
    isBad: true,
  },
} as const

type ActionName = keyof typeof ACTIONS

/** The panel’s own containers are only started, and those of a workload are removed with it. */
export function ContainerActions({ serverId, container }: ContainerActionsProps) {
  const { state, isPlatform } = container
  const isRunning = state === 'running' || state === 'restarting' || state === 'paused'
  const may = { start: !isRunning, stop: isRunning && !isPlatform, remove: !isRunning && isFree(container) }
  const one = (action: ActionName, isOffered: boolean) => (
    <OneAction key={action} action={action} serverId={serverId} container={container} isOffered={isOffered} />
  )
  return (
    <div className="row">
      <Actions
        more={
          <>
            {one('restart', may.stop)}
            {one('kill', may.stop)}
            {one('remove', may.remove)}
          </>
        }
      >
        {one('start', may.start)}
        {one('stop', may.stop)}
      </Actions>
    </div>
  )
}

interface OneActionProps extends ContainerActionsProps {
  readonly action: ActionName
  readonly isOffered: boolean
}

function OneAction({ action, serverId, container: { id: containerId, name }, isOffered }: OneActionProps) {
  const { label, done, ...more } = ACTIONS[action]
  return (
    <Action
      operation={postEngineServersByServerIdContainersAction}
      input={{ params: { serverId } }}
      label={label}
      title={`${label} ${name}`}
      submit={label}
      tone={'isBad' in more ? 'bad' : 'plain'}
      about={'about' in more && <p>{more.about}</p>}
      fixed={{ containerId, action }}
      isOffered={isOffered}
      {...outcomeOf(done)}
    />
  )
}
