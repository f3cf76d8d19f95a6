import { GROUP } from '../../platform/access/identity.ts'
import { char, many2one } from '../../platform/model/fields.ts'
import { defineModel } from '../../platform/model/model.ts'

/** A number somebody calls often. */
export const favoriteModel = defineModel({
  name: 'connect.favorite',
  label: 'Favourite',
  isAboutPeople: true,
  order: 'id',
  display: { columns: ['name', 'phone_number'], show: (row) => String(row.name || row.phone_number) },
  fields: {
    name: char('Name'),
    phone_number: char('Phone number', { required: true, maxLength: 256 }),
    user: many2one('User', 'res.users', {
      required: true,
      onDelete: 'cascade',
      default: (env) => (env.identity.userId > 0 ? env.identity.userId : null),
    }),
    partner: many2one('Contact', 'res.partner'),
  },
  rules: [{ group: GROUP.connectUser, domain: ({ userId }) => [['user', '=', userId]] }],
})
