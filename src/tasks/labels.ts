/** Labels of objects on the engine. What agents make for one panel has the first one. */
export const LABELS = {
  /** The panel that it was made for: an engine may serve two. */
  installation: 'daybook.installation',
  task: 'daybook.task',
  /** `<kind>/<id>`. */
  workload: 'daybook.workload',
  /** The deployment that has made a container. */
  deployment: 'daybook.deployment',
  /** Of that deployment: the name of the service, and the number of the replica from 1 on. */
  service: 'daybook.service',
  replica: 'daybook.replica',
  project: 'daybook.project',
  environment: 'daybook.environment',
  /** Of what the panel itself is made of, by the Dockerfile and the Compose file, and of what its registries share: its part. */
  platform: 'daybook.platform',
} as const
