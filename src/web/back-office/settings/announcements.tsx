/** What customers read above their licenses in the shop. */
import {
  deleteAdminAnnouncementsById,
  getAdminAnnouncements,
  patchAdminAnnouncementsById,
  postAdminAnnouncements,
} from '#api-client/licensing/announcements'
import type { DataOf } from '#api-client/operation'
import type { ItemOf } from '#api-client/paging'
import { Action } from '../../kit/action.tsx'
import { Empty, Part, ToneText } from '../../kit/controls.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'

type Announcement = ItemOf<DataOf<typeof getAdminAnnouncements>>

const TONES = { INFO: 'quiet', WARNING: 'warn', CRITICAL: 'bad' } as const

const FORM = {
  order: ['title', 'body', 'level', 'visibleFrom', 'visibleUntil'],
  labels: { body: 'Text' },
}

export const Announcements = () => (
  <Part title="Announcements" actions={<NewAnnouncement />}>
    <RecordTable
      operation={getAdminAnnouncements}
      caption="Announcements to customers"
      keyOf={({ id }) => id}
      columns={[
        { label: 'Title', of: ({ title }) => title },
        { label: 'Level', of: ({ level }) => <ToneText tone={TONES[level]}>{wordOf(level)}</ToneText> },
        { label: 'Text', of: ({ body }) => body },
        { label: 'Visible from', of: ({ visibleFrom }) => <Time at={visibleFrom} /> },
        { label: 'Until', of: ({ visibleUntil }) => <Time at={visibleUntil} /> },
        { label: 'Actions', of: (announcement) => <AnnouncementActions announcement={announcement} /> },
      ]}
      empty={<Empty>Customers see an announcement in the shop for the period that you choose.</Empty>}
    />
  </Part>
)

const NewAnnouncement = () => (
  <Action {...FORM} operation={postAdminAnnouncements} label="Announce" done="The announcement is recorded" />
)

const AnnouncementActions = ({ announcement }: { readonly announcement: Announcement }) => (
  <span className="actions">
    <Action
      {...FORM}
      operation={patchAdminAnnouncementsById}
      input={{ params: { id: announcement.id } }}
      initial={announcement}
      label="Change"
      title="Change the announcement"
      tone="quiet"
      submit="Save"
      done="The announcement is changed"
    />
    <Action
      operation={deleteAdminAnnouncementsById}
      input={{ params: { id: announcement.id } }}
      label="Delete"
      title={`Delete “${announcement.title}”`}
      tone="bad"
      about={<p>Customers no longer see it.</p>}
      done="The announcement is deleted"
    />
  </span>
)
