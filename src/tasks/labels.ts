/** Labels of objects on the engine. What agents make for one panel has the first one. */
export const LABELS = {
  /** The panel that it was made for: an engine may serve two. */
  installation: 'daybook.installation',
  task: 'daybook.task',
  /** `<kind>/<id>`. */
  workload: 'daybook.workload',
  project: 'daybook.project',
  environment: 'daybook.environment',
  /** Of what the panel itself is made of, by the Dockerfile and the Compose file, and of what its registries share: its part. */
  platform: 'daybook.platform',
} as const
