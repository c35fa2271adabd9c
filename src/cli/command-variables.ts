/** The environment variables that commands read, as they are declared. */
import {
  dataDirectoryVariables,
  evaluationVariables,
  panelEvaluationVariables,
  panelProductionVariables,
  productionVariables,
  rootKeyVariables,
} from '../config/environment.ts'
import { described } from '../config/variable.ts'
import type { Described, Variables } from '../config/variable.ts'
import type { Service } from './commands.ts'

/** `installation`: production where the database is named, else the evaluation. `database`: nothing else where it is named. */
export type Reads =
  | 'nothing'
  | 'evaluation'
  | 'production'
  | 'panel production'
  | 'database'
  | 'installation'
  | 'root key'

const both = { ...evaluationVariables, ...panelEvaluationVariables, ...dataDirectoryVariables }

const licensing = { ...evaluationVariables, ...dataDirectoryVariables }

const OF_LICENSING: Readonly<Record<Reads, Variables>> = {
  nothing: {},
  evaluation: both,
  production: productionVariables,
  'panel production': panelProductionVariables,
  database: licensing,
  installation: licensing,
  'root key': { ...licensing, ...rootKeyVariables },
}

const OF: Readonly<Record<Service['name'], Readonly<Record<Reads, Variables>>>> = {
  licensing: OF_LICENSING,
  panel: {
    ...OF_LICENSING,
    production: panelProductionVariables,
    // An evaluation's panel is licensed by the service beside it.
    database: both,
    installation: both,
  },
}

export const variablesOf = (service: Service['name'], reads: Reads): Described[] => described(OF[service][reads])

/** Every one that there is. */
export const VARIABLES: readonly string[] = Object.keys({ ...both, ...rootKeyVariables })
