/** The environment of an agent. */
import { z } from 'zod'
import { agentVariables } from './environment.ts'
import { readVariables } from './variable.ts'

/** Where the container engine is said to be. */
export const dockerHost = (env: NodeJS.ProcessEnv): string | undefined =>
  readVariables(z.object(agentVariables), env).DOCKER_HOST
