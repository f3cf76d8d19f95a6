import { boolean, char } from '../platform/model/fields.ts'
import { defineModel } from '../platform/model/model.ts'

export const countryModel = defineModel({
  name: 'res.country',
  label: 'Country',
  order: 'name',
  fields: {
    name: char('Name', { required: true }),
    code: char('Code', {
      required: true,
      isUnique: true,
      pattern: { matches: /^[A-Z]{2}$/, says: 'two capital letters' },
    }),
  },
})

export const languageModel = defineModel({
  name: 'res.lang',
  label: 'Language',
  order: 'name',
  fields: {
    name: char('Name', { required: true }),
    code: char('Code', { required: true, isUnique: true }),
    active: boolean('Active', { default: true }),
  },
})
