/** The environment of an agent. */
import { z } from 'zod'
import { readVariables, variable } from './variable.ts'

/** For `daybook agent`, and for the agent beside the panel of an evaluation. */
export const agentVariables = {
  DOCKER_HOST: variable(
    'unix:// and the path of the socket of a container engine; others are not used',
    (text) => text,
  ),
}

/** Where the container engine is said to be. */
export const dockerHost = (env: NodeJS.ProcessEnv): string | undefined =>
  readVariables(z.object(agentVariables), env).DOCKER_HOST
