import { postRegistries } from '#api-client/panel/registries'
import { Page } from '../../kit/page.tsx'
import { onPlatform } from '../../page-spec.ts'
import { useCan } from '../../session/context.tsx'
import { AddRegistry } from './add-registry.tsx'
import { Registries } from './registries.tsx'

export default function InstallationRegistries() {
  const can = useCan()
  const isManaged = can(onPlatform(postRegistries))
  return (
    <Page title="Registries" actions={<AddRegistry projectId={null} isManaged={isManaged} />}>
      <Registries projectId={null} isManaged={isManaged} />
    </Page>
  )
}
