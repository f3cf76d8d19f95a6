import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { boolean, char } from '../model/fields.ts'
import { defineModel } from '../model/model.ts'
import { COUNTRIES, LANGUAGES } from './geography-data.ts'

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

export async function seedGeography(tx: Transaction): Promise<void> {
  await tx.query(
    sql`insert into res_country (code, name) select code, name from jsonb_to_recordset(${JSON.stringify(COUNTRIES)}::jsonb)
        as c(code text, name text) on conflict (code) do nothing`,
  )
  await tx.query(
    sql`insert into res_lang (code, name, active) select code, name, true from jsonb_to_recordset(${JSON.stringify(LANGUAGES)}::jsonb)
        as l(code text, name text) on conflict (code) do nothing`,
  )
}
