/** What declarations bring about: strict events, unique constraints, tables that the gate asks, work in the background. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sections as licensingSections } from '#licensing/index'
import { askedPlan } from '#panel/agent/plans'
import { sections as panelSections } from '#panel/index'
import * as licensing from '../../src/composition/licensing.ts'
import * as panel from '../../src/composition/panel.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Events that are answered only when their effect holds everywhere. */
const STRICT = {
  licensing: `CustomerErased CustomerSuspended InstanceDeactivated InstanceRebound LicenseReissued LicenseRevoked LicenseSuspended
    MachineTokenRevoked PlanDeactivated SettingChanged ShopPasswordChanged ShopPasswordSet ShopSessionEnded ShopTotpDisabled
    ShopTotpEnabled SigningKeyCompromised SlotsReleased StaffPasswordChanged StaffPasswordReset StaffRemoved StaffRolesChanged
    StaffSessionEnded StaffTotpDisabled StaffTotpEnabled StaffTotpReset SubscriptionCancelled SubscriptionExpired
    SubscriptionPaused SubscriptionUnpaid VersionYanked WebhookDeleted WebhookDisabled`,
  panel: `AdminRoleChanged AdminRoleDeleted ApiKeyDeleted ApiKeyRevoked ApplicationDeleted ApplicationTransferred ApplicationWebhookSecretRotated GitProviderRemoved PreviewClosed ProjectDeleted ProjectEnvironmentRemoved
    ProjectMemberGrantsChanged ProjectMemberRemoved ProjectMemberRoleChanged ProjectOwnershipClaimed ProjectOwnershipTransferred
    ProjectRoleDeleted ProjectRoleGrantsChanged ProjectTeamRemoved RegistryRemoved ServerAccessGranted ServerAccessLevelChanged ServerAccessRevoked
    ServerRegistered ServerRemoved ServerReset ServerTokenRotated SettingChanged TeamDeleted TeamMemberRemoved
    UserAdminRoleChanged UserAvatarRemoved UserErased UserPasswordChanged UserPasswordReset UserPermissionsChanged
    UserRoleChanged UserSessionEnded UserStatusChanged UserTotpDisabled UserTotpEnabled UserTotpReset`,
}

/** Events with a unique constraint that they take, or release. */
const CONSTRAINED = {
  licensing: {
    takes: `CustomerRegistered LicenseIssued LicenseReissued PaymentNoticed PaymentRecorded PaymentRequested PaymentSettled
      PlanCreated ShopBackupCodeUsed ShopLinkRequested ShopPasswordSet ShopSessionRefreshed ShopSessionStarted ShopTotpDisabled
      ShopTotpEnabled ShopTotpUsed StaffAdded StaffBackupCodeUsed StaffLinkMade StaffSessionRefreshed StaffSessionStarted
      StaffTotpDisabled StaffTotpEnabled StaffTotpUsed SubscriptionCreated VersionCreated`,
    releases: 'CustomerErased PaymentCancelled StaffRemoved',
  },
  panel: {
    takes: `AgentUpdateAsked ApiKeyMinted ApplicationChanged ApplicationCreated ApplicationTransferred GitFlowRedirected NotificationAdded PreviewOpened RegistryAdded RegistryChanged ScheduledDeployMissed ScheduledDeployRan ServerAdded ServerChanged ServerFactsChanged ServerInstallTokenIssued
      ServerRegistered SseTokenMade SseTokenUsed UserAdded UserBackupCodeUsed UserLinkMade UserSessionRefreshed UserSessionStarted UserTotpDisabled UserTotpEnabled UserTotpUsed`,
    releases: `AgentUpdateEnded AgentUpdateHalted ApiKeyDeleted ApplicationChanged ApplicationDeleted ApplicationTransferred PreviewClosed RegistryChanged RegistryRemoved ScheduledDeployMissed ScheduledDeployRan ScheduledDeployRemoved ServerChanged ServerFactsChanged ServerInstallTokenIssued ServerRegistered ServerRemoved
      ServerReset UserErased`,
  },
} as const

/** Read models that are declared `forGate()`: a strict event waits for them. */
const FOR_GATE = {
  licensing: `customers instances leaseTerms licenseKeys licenses machineTokens settings shopSessions staff staffSessions
    subscriptions versions`,
  panel: `adminRoles apiKeys applications deployments gitProviders previews projectEnvironments projectMembers projectRoles projectTeams projectVariables projects registries
    scheduledDeploys serverAccess servers teamMembers teams userSessions users`,
}

/** `ownerNotices('user-notices', …)` makes a reaction as well, and `operationJobs('note-imports', …)` a reaction and a timer. */
const BACKGROUND = /\b(reaction|timer|recurringJob|ownerNotices|operationJobs)\(\s*'([a-z-]+)'/g
const namesOf = ([, maker, name]: readonly string[]): string[] =>
  maker === 'operationJobs' ? [name!, `${name}-timeout`] : [name!]
/** Of the kernel. */
const IN_EVERY_SERVICE = ['forget-idempotent-calls', 'forget-operation-logs']

describe.each([
  { service: 'licensing', sections: licensingSections, composition: licensing },
  { service: 'panel', sections: panelSections, composition: panel },
] as const)('the service $service', ({ service, sections, composition }) => {
  const types = [...new Set(sections.flatMap(({ streams }) => streams.flatMap((stream) => stream.types)))]

  test('has these strict events', () => {
    const strict = types.filter(({ options }) => options.strict).map(({ type }) => type)
    expect(strict.toSorted()).toEqual(STRICT[service].split(/\s+/).toSorted())
  })

  test.each(['takes', 'releases'] as const)('has these events with a constraint that it %s', (kind) => {
    const constrained = types.filter(({ options }) => options[kind]).map(({ type }) => type)
    expect(constrained.toSorted()).toEqual(CONSTRAINED[service][kind].split(/\s+/).toSorted())
  })

  test('lets its gate ask these read models', () => {
    const asked = sections.flatMap(({ readModels }) => readModels).filter(({ isForGate }) => isForGate)
    expect([...new Set(asked.map(({ name }) => name))].toSorted()).toEqual(FOR_GATE[service].split(/\s+/).toSorted())
  })

  test('runs every reaction, timer and recurring job that is declared', () => {
    const texts = globSync(`src/${service}/**/*.ts`, { cwd: ROOT }).map((file) =>
      readFileSync(join(ROOT, file), 'utf8'),
    )
    const declared = texts.flatMap((text) => [...text.matchAll(BACKGROUND)].flatMap(namesOf))
    // A plan makes its reaction itself.
    const planned = askedPlan.in(sections).map(({ kind: { name } }) => `plan-${name}`)
    const running = [...composition.reactions, ...composition.timers].map(({ name }) => name)
    expect(running.toSorted()).toEqual([...declared, ...planned, ...IN_EVERY_SERVICE].toSorted())
  })
})
