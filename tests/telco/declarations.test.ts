import { expect, test } from 'vitest'
import { isColumn } from '../../src/platform/model/fields.ts'
import { telcoArea } from '../../src/telco/telco-area.ts'

const models = telcoArea.models.map(([model]) => model)

test('a pair table is named for its model and field', () => {
  for (const model of models) {
    for (const [name, field] of Object.entries(model.fields)) {
      if (field.kind === 'many2many') expect(field.relation.table).toBe(`${model.table}_${name}_rel`)
    }
  }
})

test('a link that must be set goes with its target or keeps it', () => {
  for (const model of models) {
    for (const [name, field] of Object.entries(model.fields)) {
      const isLoose = isColumn(field) && field.kind === 'many2one' && field.required && field.onDelete === 'set null'
      expect(isLoose, `${model.name}.${name}`).toBeFalsy()
    }
  }
})
