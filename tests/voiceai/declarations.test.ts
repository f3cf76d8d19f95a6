import { expect, test } from 'vitest'
import { isColumn } from '../../src/platform/model/fields.ts'
import { voiceaiArea } from '../../src/voiceai/voiceai-area.ts'

const models = voiceaiArea.models.map(([model]) => model)

test('a pair table is named for its model and field, of one of its sides', () => {
  const fields = models.flatMap(({ table, fields }) =>
    Object.entries(fields).map(([name, field]) => ({ field, named: `${table}_${name}_rel` })),
  )
  const names = new Set(fields.map(({ named }) => named))
  for (const { field } of fields) if (field.kind === 'many2many') expect(names).toContain(field.relation.table)
})

test('a link that must be set goes with its target or keeps it', () => {
  for (const model of models) {
    for (const [name, field] of Object.entries(model.fields)) {
      const isLoose = isColumn(field) && field.kind === 'many2one' && field.required && field.onDelete === 'set null'
      expect(isLoose, `${model.name}.${name}`).toBeFalsy()
    }
  }
})

test('an administrator can bring in a voice, so none of its fields is the service’s own', () => {
  const voice = models.find((model) => model.name === 'connect.voiceai_voice')
  const own = ['create_date', 'write_date', 'create_uid', 'write_uid', 'write_stamp']
  const readonly = Object.entries(voice?.fields ?? {}).filter(([name, field]) => field.readonly && !own.includes(name))
  expect(readonly).toEqual([])
})
