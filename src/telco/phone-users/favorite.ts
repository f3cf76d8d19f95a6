import { CONTACTS_OFFERED } from '../../contacts/contacts-offered.ts'
import { requireNumber } from '../../contacts/number-check.ts'
import { ONE_LINE } from '../../names.ts'
import { toContactKey } from '../../phone.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { CONNECT_COLLEAGUES } from '../../platform/identity/colleagues-offered.ts'
import { char, many2one } from '../../platform/model/fields.ts'
import { defineModel } from '../../platform/model/model.ts'
import { quotaCheck } from '../../platform/model/quota-check.ts'

/** Favourites of one person. */
const FAVORITES_MAX = 500

/** A number somebody calls often. */
export const favoriteModel = defineModel({
  name: 'connect.favorite',
  label: 'Favourite',
  isAboutPeople: true,
  order: 'id',
  display: { columns: ['name', 'phone_number'], show: (row) => String(row.name || row.phone_number) },
  fields: {
    name: char('Name', { pattern: ONE_LINE }),
    phone_number: char('Phone number', { required: true, maxLength: 256 }),
    user: many2one('User', 'res.users', {
      required: true,
      offers: CONNECT_COLLEAGUES,
      onDelete: 'cascade',
      default: (env) => (env.identity.userId > 0 ? env.identity.userId : null),
    }),
    partner: many2one('Contact', 'res.partner', { offers: CONTACTS_OFFERED }),
  },
  checks: [
    {
      fields: ['phone_number'],
      says: 'Must be a phone number or an extension.',
      require({ env, values: { phone_number: written }, current }) {
        if (typeof written !== 'string' || written === current?.phone_number || env.identity.isElevated) return
        requireNumber(written, 'connect.favorite.phone_number', env.settings.country)
      },
    },
    quotaCheck({
      table: 'connect_favorite',
      owner: 'user',
      max: FAVORITES_MAX,
      code: 'favorites-full',
    }),
  ],
  /** In one form, so that it is called as it is meant and found when its person is erased. */
  prepare(env, given) {
    const written = given.phone_number
    const e164 = typeof written === 'string' ? toContactKey(written, env.settings.country) : undefined
    return e164 === undefined ? given : { ...given, phone_number: e164 }
  },
  rules: [{ group: GROUP.connectUser, domain: ({ userId }) => [['user', '=', userId]] }],
})
