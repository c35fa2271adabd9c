/** The environment variables that commands read, as they are declared. */
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

/** `installation`: production where the database is named, else the evaluation. `database`: nothing else where it is named. */
export type VariableSet =
  | 'nothing'
  | 'evaluation'
  | 'production'
  | 'panel production'
  | 'database'
  | 'installation'
  | 'root key'

const evaluationOfBoth = { ...evaluationVariables, ...panelEvaluationVariables, ...dataDirectoryVariables }

const licensing = { ...evaluationVariables, ...dataDirectoryVariables }

const LICENSING_VARIABLES: Readonly<Record<VariableSet, Variables>> = {
  nothing: {},
  evaluation: evaluationOfBoth,
  production: productionVariables,
  'panel production': panelProductionVariables,
  database: licensing,
  installation: licensing,
  'root key': { ...licensing, ...rootKeyVariables },
}

const VARIABLES_BY_SERVICE: Readonly<Record<CliService['name'], Readonly<Record<VariableSet, Variables>>>> = {
  licensing: LICENSING_VARIABLES,
  panel: {
    ...LICENSING_VARIABLES,
    production: panelProductionVariables,
    // An evaluation's panel is licensed by the service beside it.
    database: evaluationOfBoth,
    installation: evaluationOfBoth,
  },
}

export const variablesOf = (service: CliService['name'], reads: VariableSet): VariableDescription[] =>
  describeVariables(VARIABLES_BY_SERVICE[service][reads])

/** Every one that there is. */
export const ALL_VARIABLES: readonly string[] = Object.keys({ ...evaluationOfBoth, ...rootKeyVariables })
