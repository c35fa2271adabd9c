/** Labels of what agents make on their engines. Everything made has the first one. */
export const LABELS = {
  /** The panel that it was made for: an engine may serve two. */
  installation: 'daybook.installation',
  task: 'daybook.task',
  /** `<kind>/<id>`. */
  workload: 'daybook.workload',
  project: 'daybook.project',
  environment: 'daybook.environment',
} as const
