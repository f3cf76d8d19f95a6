import type { Area } from '../area.ts'
import { FULL, rightsOf } from '../platform/access/access.ts'
import { GROUP } from '../platform/access/identity.ts'
import { seedIdentity } from '../platform/identity/service-users.ts'
import { userModelWith } from '../platform/identity/users.ts'
import { erasureModel } from './erasure.ts'
import { partnerModel } from './partner.ts'
import { contactNumbers } from './renumber-contacts.ts'
import { renumberingSettings } from './renumbering.ts'
import { userContacts } from './user-contacts.ts'

/** Contacts, and the logins, each of which has one. */
export const contactsArea = {
  models: [
    [partnerModel, { ...rightsOf('rwc', FULL, 'rwc', '-'), [GROUP.helpdeskUser]: 'r' }],
    [userModelWith(userContacts), { ...rightsOf('r', FULL, 'r', '-'), [GROUP.internal]: 'r', [GROUP.manager]: FULL }],
    [erasureModel, { [GROUP.connectAdmin]: 'r' }],
  ],
  settings: [renumberingSettings],
  writers: {
    'connect.settings': { number_reader: 'service' },
    // One who is a manager is written by managers only (user-rules.ts). Who could write these would be let in as somebody else, or
    // where they are not: single sign-on knows people by the login.
    'res.users': {
      login: 'managers, once stored',
      name: 'administrators',
      active: 'administrators',
      share: 'managers, changes',
      partner_id: 'managers, changes',
      tz: 'administrators',
      group_ids: 'managers, changes',
      password_hash: 'service',
      sign_in_age: 'service',
      password: 'managers, changes',
      preferences: 'service',
      external_id: 'service',
      api_key_ids: 'service',
      is_colleague: 'service',
      is_in_helpdesk: 'service',
      is_in_connect: 'service',
      is_manager: 'service',
    },
  },
  numbered: [contactNumbers],
  seed: (tx) => seedIdentity(tx, userContacts),
} satisfies Area
