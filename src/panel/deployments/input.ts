/** What requests say about a deployment. */
import { z } from 'zod'
import { uuid } from '#kernel/lib/uuid'
import { COMMIT, REF } from '../../tasks/builds.ts'

const commit = z.string().regex(COMMIT, 'must be a whole commit: 40 or 64 lower-case hex digits')
const branch = z.string().regex(REF, 'must be the name of a branch')
const imageTag = z
  .string()
  .regex(/^\w[\w.-]{0,127}$/, 'must be a tag, such as 1.2')
  .describe('Of an application with an image: this tag instead of its own.')

const redeployFields = {
  commit: commit.optional(),
  branch: branch.optional(),
  imageTag: imageTag.optional(),
  build: z
    .enum(['AUTO', 'ALWAYS'])
    .default('AUTO')
    .describe('ALWAYS: build although the commit runs already, or nothing below the watched paths has changed.'),
}

const onlyOne = <Body extends { readonly commit?: string | undefined; readonly branch?: string | undefined }>(
  schema: z.ZodType<Body>,
): z.ZodType<Body> =>
  schema.refine(({ commit: one, branch: other }) => one === undefined || other === undefined, {
    path: ['branch'],
    message: 'Give commit or branch, not both',
  })

export const Redeploy = onlyOne(z.strictObject(redeployFields).prefault({}))
export const NewDeployment = onlyOne(z.strictObject({ applicationId: uuid, ...redeployFields }))

export const Rollback = z
  .strictObject({
    deploymentId: uuid.optional(),
    commit: commit.optional(),
    env: z.enum(['THEN', 'NOW']).default('THEN').describe('Its variables: those of then, or those of now.'),
  })
  .refine(({ deploymentId, commit: sha }) => deploymentId === undefined || sha === undefined, {
    path: ['commit'],
    message: 'Give deploymentId or commit, not both',
  })
  .prefault({})
