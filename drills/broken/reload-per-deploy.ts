/** Loaded before an agent: each change of targets reloads HAProxy. */
import { replaceInSource } from './replace-in-source.ts'

replaceInSource(
  'agent/proxy/loader.ts',
  'if (!(await isRunning()) ||',
  'if (!(await isRunning()) || backends.size > 0 ||',
)
