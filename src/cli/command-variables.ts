/** The environment variables that commands read, from their declarations. */
import { agentVariables } from '../config/agent.ts'
import {
  dataDirectoryVariables,
  evaluationVariables,
  panelEvaluationVariables,
  panelProductionVariables,
  productionVariables,
  rootKeyVariables,
} from '../config/environment.ts'
import { describeVariables } from '../config/variable.ts'
import type { VariableDescription, Variables } from '../config/variable.ts'
import type { CliService } from './commands.ts'

/**
 * `installation`: those of production if the database is set, otherwise those of the evaluation.
 * `database`: only the database, if it is set.
 */
export type VariableSet =
  | 'nothing'
  | 'evaluation'
  | 'production'
  | 'panel production'
  | 'database'
  | 'installation'
  | 'root key'
  | 'agent'

const evaluationOfBoth = { ...evaluationVariables, ...panelEvaluationVariables, ...dataDirectoryVariables }

const licensing = { ...evaluationVariables, ...dataDirectoryVariables }

const LICENSING_VARIABLES: Readonly<Record<VariableSet, Variables>> = {
  nothing: {},
  evaluation: { ...evaluationOfBoth, ...agentVariables },
  production: productionVariables,
  'panel production': panelProductionVariables,
  database: licensing,
  installation: licensing,
  'root key': { ...licensing, ...rootKeyVariables },
  agent: agentVariables,
}

const VARIABLES_BY_SERVICE: Readonly<Record<CliService['name'], Readonly<Record<VariableSet, Variables>>>> = {
  licensing: LICENSING_VARIABLES,
  panel: {
    ...LICENSING_VARIABLES,
    production: panelProductionVariables,
    // The panel of an evaluation gets its license from the service beside it.
    database: evaluationOfBoth,
    installation: evaluationOfBoth,
  },
}

export const variablesOf = (service: CliService['name'], reads: VariableSet): VariableDescription[] =>
  describeVariables(VARIABLES_BY_SERVICE[service][reads])

/** All variables of all commands. */
export const ALL_VARIABLES: readonly string[] = Object.keys({
  ...evaluationOfBoth,
  ...rootKeyVariables,
  ...agentVariables,
})
